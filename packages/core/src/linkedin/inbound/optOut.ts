/**
 * Whether a message asks for no further contact, in the languages that drafts are checked in. Pure, and linear in the text.
 *
 * A word such as "stop" counts only where it is the whole message; within a sentence only what can mean nothing else does.
 * A doubtful message is none: the lead is Replied, and a person reads it. Source: G11; mission research 6, legal notes.
 */

/** What alone in a message asks for it, a please or thanks around it allowed. */
const alone: ReadonlyArray<string> = [
  "stop",
  "unsubscribe",
  "remove",
  "remove me",
  "opt out",
  "optout",
  "no more messages",
  "no contact",
  "stopp",
  "abmelden",
  "abbestellen",
  "austragen",
  "desabonner",
  "desinscrire",
  "desinscription",
  "stoppez",
  "baja",
  "darme de baja",
  "cancelar suscripcion",
  "cancellami",
  "disiscrivimi",
  "basta",
  "descadastrar",
  "remover",
  "cancelar inscricao",
  "uitschrijven",
  "afmelden",
  "avregistrera",
  "avsluta",
  "afmeld",
  "frameld",
  "avmeld",
  "meld meg av",
  "wypisz",
  "wypisz mnie",
  "rezygnuje"
]

/** What asks for it wherever it stands. Without marks, apostrophes and punctuation, as {@link plain} writes it. */
const phrases: ReadonlyArray<string> = [
  // English
  "unsubscribe me",
  "please unsubscribe",
  "want to unsubscribe",
  "like to unsubscribe",
  "opt me out",
  "want to opt out",
  "like to opt out",
  "remove me from your",
  "remove me from this",
  "remove me from the list",
  "take me off your",
  "take me off this",
  "delete my data",
  "delete my contact",
  "stop contacting me",
  "stop messaging me",
  "stop writing to me",
  "stop writing me",
  "stop sending me",
  "stop spamming",
  "do not contact me",
  "dont contact me",
  "never contact me",
  "do not message me",
  "dont message me",
  "do not write to me",
  "dont write to me",
  "no further contact",
  "no further messages",
  "leave me alone",
  // German
  "kontaktieren sie mich nicht",
  "kontaktiere mich nicht",
  "nicht mehr kontaktieren",
  "nicht mehr anschreiben",
  "nicht mehr schreiben",
  "keine weiteren nachrichten",
  "keine weitere kontaktaufnahme",
  "keinen weiteren kontakt",
  "schreiben sie mir nicht mehr",
  "schreib mir nicht mehr",
  "loschen sie meine daten",
  "losche meine daten",
  "aus ihrer liste",
  "aus eurem verteiler",
  "aus ihrem verteiler",
  "lassen sie mich in ruhe",
  "lass mich in ruhe",
  "mochte ich abbestellen",
  // French
  "ne me contactez plus",
  "ne me contacte plus",
  "ne plus me contacter",
  "ne plus etre contacte",
  "ne plus etre contactee",
  "ne mecrivez plus",
  "ne plus mecrire",
  "ne menvoyez plus",
  "arretez de me contacter",
  "arretez de mecrire",
  "supprimez mes donnees",
  "supprimer mes donnees",
  "retirez moi de votre",
  "me desabonner",
  "me desinscrire",
  "desinscrivez moi",
  "laissez moi tranquille",
  // Spanish
  "no me contacte mas",
  "no me contactes mas",
  "no me contacten mas",
  "no me escriba mas",
  "no me escribas mas",
  "no me vuelva a contactar",
  "no me vuelvas a contactar",
  "no quiero recibir mas",
  "no deseo recibir mas",
  "deje de escribirme",
  "deja de escribirme",
  "deje de contactarme",
  "deja de contactarme",
  "deme de baja",
  "darme de baja",
  "borre mis datos",
  "eliminen mis datos",
  "elimine mis datos",
  // Italian
  "non contattarmi piu",
  "non mi contatti piu",
  "non mi contattate piu",
  "non mi scriva piu",
  "non scrivermi piu",
  "non scrivetemi piu",
  "non voglio piu ricevere",
  "non desidero piu ricevere",
  "smetta di scrivermi",
  "smettila di scrivermi",
  "cancellate i miei dati",
  "cancelli i miei dati",
  "rimuovetemi dalla",
  "mi rimuova dalla",
  // Portuguese
  "nao me contacte mais",
  "nao me contate mais",
  "nao entre mais em contato",
  "nao entre mais em contacto",
  "nao me escreva mais",
  "nao me envie mais",
  "nao quero receber mais",
  "nao desejo receber mais",
  "pare de me contactar",
  "pare de me contatar",
  "pare de me escrever",
  "apague os meus dados",
  "apague meus dados",
  "remova me da",
  // Dutch
  "neem geen contact meer",
  "geen contact meer op",
  "niet meer benaderen",
  "niet meer contacteren",
  "stuur mij geen berichten",
  "stuur me geen berichten",
  "geen berichten meer",
  "verwijder mijn gegevens",
  "laat me met rust",
  "laat mij met rust",
  // Swedish
  "kontakta mig inte",
  "kontakta inte mig",
  "sluta kontakta mig",
  "sluta skriva till mig",
  "skriv inte till mig",
  "inga fler meddelanden",
  "radera mina uppgifter",
  // Danish
  "kontakt mig ikke",
  "stop med at skrive",
  "stop med at kontakte",
  "skriv ikke til mig",
  "ikke flere beskeder",
  "slet mine oplysninger",
  // Norwegian
  "ikke kontakt meg",
  "kontakt meg ikke",
  "slutt a kontakte meg",
  "slutt a skrive",
  "ikke skriv til meg",
  "ingen flere meldinger",
  "slett mine opplysninger",
  // Polish
  "prosze nie kontaktowac",
  "nie kontaktuj sie",
  "prosze nie pisac",
  "nie pisz do mnie",
  "nie zycze sobie kontaktu",
  "nie zycze sobie dalszych",
  "usunac moje dane",
  "usun moje dane",
  "wypisz mnie"
]

/** Before a phrase they turn it round: "please do not remove me from your list". */
const negations: ReadonlySet<string> = new Set("not dont didnt wont never cannot nicht pas niet inte ikke".split(" "))

/** Courtesies around a word that stands alone. */
const courtesies: ReadonlySet<string> = new Set(
  (
    "please pls kindly thanks thank you hi hello bitte danke merci svp sil vous plait por favor gracias per favore grazie " +
    "obrigado obrigada alstublieft bedankt tack snalla tak venligst takk vennligst prosze dziekuje now jetzt"
  ).split(" ")
)

/** Longer texts are looked at up to here; nobody writes it after that. */
const mostUnits = 20_000

// Letters that stay whole when marks are taken off.
const plainLetters: Readonly<Record<string, string>> = { ł: "l", ø: "o", ß: "ss", æ: "ae", œ: "oe", đ: "d", ı: "i" }

/** Words in lower case without marks and apostrophes, a space between two; other characters separate. */
const plain = (text: string): string =>
  text
    .slice(0, mostUnits)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’‘`´\u200b-\u200f\u2060\ufeff]/gu, "")
    .replaceAll(/[łøßæœđı]/gu, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const withoutCourtesies = (words: ReadonlyArray<string>): string =>
  words.filter((word) => !courtesies.has(word)).join(" ")

const isAlone = new Set(alone)

const isNegated = (words: string): boolean => negations.has(words.trimEnd().split(" ").at(-1) ?? "")

/** The words that ask for no further contact, as they are compared; undefined where there are none. Never throws. */
export const optOutIn = (text: string): string | undefined => {
  const words = plain(text)
  // What is longer than the longest of them with courtesies is not alone.
  if (words.length <= 80) {
    const rest = withoutCourtesies(words.split(" "))
    if (isAlone.has(rest)) return rest
    if (isAlone.has(words)) return words
  }
  const padded = ` ${words} `
  for (const phrase of phrases) {
    for (let at = padded.indexOf(` ${phrase} `); at >= 0; at = padded.indexOf(` ${phrase} `, at + 1)) {
      if (!isNegated(padded.slice(Math.max(0, at - 20), at))) return phrase
    }
  }
  return undefined
}
