/** How opt-outs are worded in Swedish. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const verb = "(kontakta|skriv|skriva|mejla|maila|skicka|stör|störa|meddela|höra av|hör av|spamma|kontaktas)"
const me = "(mig|oss|till mig|till oss|er till mig|dig till mig)"
const mails = "(meddelanden|mejl|mail|e post|utskick|kontakt|reklam|spam|nyhetsbrev|kontakter)"
const data = "(uppgifter|personuppgifter|adress|e post|mejl|mejladress|namn|nummer|data)"

export const sv: OptOutLanguage = {
  script: "latin",
  alone: ["avregistrera", "avregistrera mig", "avsluta prenumeration", "avprenumerera", "ta bort mig", "avanmäl mig"],
  aloneInMessage: ["stop", "stopp", "sluta", "avsluta", "räcker", "nog", "ta bort"],
  commands: [
    `${verb} ${me} (inte|aldrig) [mer|igen|längre|mera|något]`,
    `${verb} (inte|aldrig) [mer|igen|längre] ${me} [mer|igen|längre]`,
    `(inte|aldrig) ${verb} ${me} [mer|igen|längre]`,
    `sluta [genast|att|nu] [att] ${verb} [till] [mig|oss]`,
    `(inga|inget|ingen) (fler|mer|ytterligare|vidare) ${mails}`,
    "ta [genast] bort (mig|oss|min adress|min e post|mina uppgifter) [från|ur]",
    `(radera|ta bort|stryk) [genast|alla] (mig|mina|min|mitt|våra) [${data.slice(1, -1)}] [från|ur]`,
    "(lämna|låt) (mig|oss) [vara] [i] (fred|ifred)",
    "avregistrera (mig|oss)"
  ],
  statements: [
    `(jag|vi) (vill|önskar) (inte|inte längre|aldrig) (bli|ha|få|höra|kontaktas|ta emot) ~ (kontaktad|${mails.slice(1, -1)}|något|mer|från)`,
    `(jag|vi) (vill|önskar) inte (längre|kontaktas)`,
    "(jag|vi) (återkallar|motsätter|invänder)",
    "(jag|vi) [har] [redan] (bett|sagt) ~ (sluta|inte)"
  ],
  concepts: {
    stop: "(sluta|upphör|stopp|stoppa)",
    remove: "(ta bort|radera|stryk|avregistrera|plocka bort)",
    contact: "(kontakta|skriva|skriv|skicka|mejla|maila|höra av*|spamma|störa)",
    me: "(mig|oss|mina|min|mitt|vår|våra)",
    mine: "(mina|min|mitt) (uppgifter|adress|e postadress|mejladress|nummer|data)",
    list: "(list*|register|databas*|utskick*|nyhetsbrev*|system*)",
    mails: "(mejl|mail|meddelanden|utskick|reklam|spam|nyhetsbrev)",
    more: "(mer|fler|igen|längre|flera|era|dessa)",
    want: "(vill|önskar|behöver)",
    receive: "(få|ta emot|höra|kontaktas|bli kontaktad)",
    reversal: "(tveka|glöm|missa|inte sluta|aldrig sluta|problem|never|dont|not|you|the|to)"
  },
  doubts: ["ring [mig|oss] inte", "(dra åt helvete|stick)", `${verb} (inte|aldrig) ${me}`],
  leadIns: [
    "hej",
    "nej",
    "nej tack",
    "tack",
    "och",
    "men",
    "så",
    "därför",
    "från och med nu",
    "i fortsättningen",
    "kan (du|ni)",
    "jag vill att (du|ni)",
    "jag ber (dig|er) [att]",
    "snälla du"
  ],
  pleases: ["snälla", "vänligen", "var god", "var vänlig", "tack"],
  fillers: [],
  denials: ["inte", "aldrig"],
  joins: ["(och|men|så|eller)"],
  negations: ["(inte|aldrig|utan att)"],
  others: ["(vem|hur|varför|när|någon|ingen|folk|han|hon|de|kunder|kunderna|många)", "(hjälper|låter)"],
  reports: ["(sade|sa|säger|frågade|bad|skrev att)"],
  limits: [
    "(före|innan|förrän|tills|om|när|under|medan|idag|imorgon|just nu|här|utom|hellre|i år|denna)",
    "(på|via|över) (linkedin|telefon|mejl|whatsapp|semester|mobilen)"
  ],
  invitations: ["(mejla|skriv|ring|kontakta) [mig|hellre] (på|via|till|i|efter|nästa|senare)", "(till|på|via) @"]
}
