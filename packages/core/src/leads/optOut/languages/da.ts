/** How opt-outs are worded in Danish. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const verb = "(kontakt|kontakte|skriv|skrive|send|sende|forstyr|forstyrre|mail|maile|henvend|spam|spamme)"
const me = "(mig|os|til mig|til os|dig til mig|jer til mig)"
const mails = "(beskeder|mails|mail|e mails|henvendelser|kontakt|reklamer|spam|nyhedsbreve)"

export const da: OptOutLanguage = {
  script: "latin",
  alone: ["afmeld", "frameld", "afmeld mig", "frameld mig", "slet mig", "fjern mig"],
  aloneInMessage: ["stop", "stands", "nok", "slet", "fjern", "hold op"],
  commands: [
    `${verb} ${me} (ikke|aldrig) [mere|igen|længere]`,
    `${verb} (ikke|aldrig) [mere|igen] ${me} [mere|igen]`,
    `(ikke|aldrig) ${verb} ${me}`,
    `(stop|hold op) [nu] med [at] [${verb.slice(1, -1)}] [til] [mig|os|${mails.slice(1, -1)}]`,
    `(ikke|ingen) (flere|mere|yderligere) ${mails}`,
    "(fjern|slet|tag|frameld|afmeld) (mig|os) [fra|af]",
    "(slet|fjern) [alle] (mine|min|mit|vores) (oplysninger|data|adresse|mail|e mail|personoplysninger|navn|nummer)",
    "lad (mig|os) være [i fred]"
  ],
  statements: [
    `(jeg|vi) (vil|ønsker) (ikke|ikke længere|aldrig) ~ (kontaktes|kontaktet|modtage|høre|have|${mails.slice(1, -1)})`,
    "(jeg|vi) (tilbagekalder|trækker) [mit|min] samtykke",
    "(jeg|vi) [har] [allerede] (bedt|sagt) ~ (stoppe|ikke|holde op)"
  ],
  concepts: {
    stop: "(stop|hold op|ophør)",
    remove: "(fjern|slet|slette|fjerne|afmeld)",
    contact: "(kontakt|kontakte|skriv|skrive|send|sende|maile|spamme|forstyrre)",
    me: "(mig|os|mine|min|mit|vores)",
    mine: "(mine|min|mit) (oplysninger|adresse|mailadresse|nummer|data)",
    list: "(list*|register|database*|nyhedsbrev*|system*)",
    mails: "(mails|mail|beskeder|reklame|reklamer|spam|nyhedsbreve)",
    more: "(mere|flere|igen|længere|jeres|disse)",
    want: "(vil|ønsker|behøver)",
    receive: "(modtage|have|høre|få|kontaktes)",
    reversal: "(tøv|glem|ikke stop|aldrig stop|problem|gå glip|never|dont|not|you|the|to)"
  },
  doubts: ["ring [mig|til mig] ikke", "skrid"],
  leadIns: [
    "hej",
    "nej",
    "nej tak",
    "tak",
    "og",
    "men",
    "så",
    "derfor",
    "fremover",
    "fra nu af",
    "(kan|vil) (du|i)",
    "jeg beder (dig|jer) [om|om at]",
    "vær sød at",
    "vær venlig at"
  ],
  pleases: ["venligst", "vær venlig", "tak", "vær sød"],
  fillers: [],
  denials: ["ikke", "aldrig"],
  joins: ["(og|men|så|eller)"],
  negations: ["(ikke|aldrig|uden at)"],
  others: ["(hvem|hvordan|hvorfor|hvornår|nogen|ingen|folk|han|hun|de|kunder|kunderne|mange)", "(hjælper|lader)"],
  reports: ["(sagde|siger|spurgte|bad|skrev at)"],
  limits: [
    "(før|inden|indtil|hvis|når|under|mens|i dag|i morgen|lige nu|her|undtagen|hellere|i år)",
    "(på|via|over) (linkedin|telefon|mail|whatsapp|ferie|mobilen)"
  ],
  invitations: ["(mail|skriv|ring|kontakt) [mig|hellere] (på|via|til|i|efter|næste|senere)", "(til|på|via) @"]
}
