/** How opt-outs are worded in Norwegian. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const verb = "(kontakt|kontakte|ta kontakt|skriv|skrive|send|sende|forstyrr|forstyrre|mail|maile|spam|spamme)"
const me = "(meg|oss|til meg|til oss|med meg|med oss)"
const mails = "(meldinger|eposter|e poster|e post|mail|mailer|henvendelser|kontakt|reklame|spam|nyhetsbrev)"

export const no: OptOutLanguage = {
  script: "latin",
  alone: ["avmeld", "meld meg av", "avmeld meg", "slett meg", "fjern meg"],
  aloneInMessage: ["stop", "stopp", "slutt", "nok", "slett", "fjern"],
  commands: [
    `${verb} ${me} (ikke|aldri) [mer|igen|lenger|igjen]`,
    `(ikke|aldri) ${verb} ${me}`,
    `(slutt|stopp) [nå] (å|med å|med) [å] [${verb.slice(1, -1)}] [til] [meg|oss|${mails.slice(1, -1)}]`,
    `(ingen|ikke) (flere|mer|ytterligere) ${mails}`,
    "(fjern|slett|ta|meld) (meg|oss) (fra|av|bort|ut)",
    "(slett|fjern) [alle] (mine|min|mitt|våre) (opplysninger|data|adresse|e post|epost|personopplysninger|navn|nummer)",
    "la (meg|oss) være [i fred]"
  ],
  statements: [
    `(jeg|vi) (vil|ønsker) (ikke|ikke lenger|aldri) ~ (kontaktes|kontaktet|motta|høre|få|ha|${mails.slice(1, -1)})`,
    "(jeg|vi) trekker [tilbake] [mitt|samtykket]",
    "(jeg|vi) [har] [allerede] (bedt|sagt) ~ (slutte|ikke|stoppe)"
  ],
  concepts: {
    stop: "(slutt|stopp|hold opp|opphør)",
    remove: "(fjern|slett|slette|fjerne|meld)",
    contact: "(kontakt|kontakte|skriv|skrive|send|sende|maile|spamme|forstyrre)",
    me: "(meg|oss|mine|min|mitt|våre)",
    mine: "(mine|min|mitt) (opplysninger|adresse|e postadresse|nummer|data)",
    list: "(list*|register|database*|nyhetsbrev*|system*)",
    mails: "(e poster|eposter|mail|meldinger|reklame|spam|nyhetsbrev)",
    more: "(mer|flere|igjen|lenger|deres|disse)",
    want: "(vil|ønsker|trenger)",
    receive: "(motta|få|høre|kontaktes)",
    reversal: "(nøl|glem|ikke slutt|aldri slutt|problem|gå glipp|never|dont|not|you|the|to)"
  },
  doubts: ["ring [meg|til meg] ikke", "dra til helvete"],
  leadIns: [
    "hei",
    "nei",
    "nei takk",
    "takk",
    "og",
    "men",
    "så",
    "derfor",
    "fra nå av",
    "(kan|vil) (du|dere)",
    "jeg ber (deg|dere) [om|om å]",
    "vær så snill å"
  ],
  pleases: ["vennligst", "vær så snill", "vær så god", "takk"],
  fillers: [],
  denials: ["ikke", "aldri"],
  joins: ["(og|men|så|eller)"],
  negations: ["(ikke|aldri|uten å)"],
  others: ["(hvem|hvordan|hvorfor|når|noen|ingen|folk|han|hun|de|kunder|kundene|mange)", "(hjelper|lar)"],
  reports: ["(sa|sier|spurte|ba|skrev at)"],
  limits: [
    "(før|innen|inntil|hvis|dersom|når|under|mens|i dag|i morgen|akkurat nå|her|unntatt|heller|i år)",
    "(på|via|over) (linkedin|telefon|e post|whatsapp|ferie|mobilen)"
  ],
  invitations: ["(send|skriv|ring|kontakt) [meg|heller] (på|via|til|i|etter|neste|senere)", "(til|på|via) @"]
}
