/** How opt-outs are worded in Polish. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const imperative =
  "(pisz|piszcie|kontaktuj|kontaktujcie|wysyłaj|wysyłajcie|przysyłaj|przysyłajcie|nękaj|nękajcie|niepokój|niepokójcie|zawracaj|zawracajcie|odzywaj|odzywajcie|męcz|męczcie|spamuj|spamujcie|zaczepiaj|zaczepiajcie)"
const infinitive =
  "(pisać|kontaktować|wysyłać|przysyłać|nękać|niepokoić|zawracać|odzywać|męczyć|spamować|zaczepiać|nagabywać)"
const mails =
  "(wiadomości|wiadomosci|maili|mailami|e maili|emaili|kontaktu|kontaktów|korespondencji|reklam|spamu|newslettera|newsletterów|ofert|informacji|prób kontaktu)"
const data =
  "(dane|danych|adres|adresu|mail|maila|e mail|email|kontakt|numer|numeru|nazwisko|dane kontaktowe|dane osobowe|danych osobowych|informacje|profil)"

export const pl: OptOutLanguage = {
  script: "latin",
  alone: [
    "wypisz mnie",
    "wypisz",
    "rezygnuję",
    "wypisać",
    "proszę mnie wypisać",
    "wypisuję się",
    "anuluj subskrypcję",
    "wyrejestruj"
  ],
  aloneInMessage: ["stop", "dość", "wystarczy", "przestań", "przestańcie", "usuń", "usunąć", "koniec"],
  commands: [
    `[prosze] nie (nękać|męczyć|niepokoić) (mnie|nas) [więcej|już]`,
    `(przestać|przestańcie|przestań|przestaną) [do mnie|mi|mnie|państwo] (spamować|pisać|wysyłać|przysyłać|nękać)`,
    `(niech) (pan|pani|państwo) [więcej|już] [do mnie|się] (nie|przestanie|przestaną) [do mnie|więcej|już|się]`,
    `(zabierzcie|zabierz|wyrzućcie|skasujcie|zdejmijcie) (mnie|mój|moje|nas) [z|ze]`,
    `(dość|koniec|stop) [już] [tych|z|waszych|tym|tymi|takich] ${mails}`,
    `(zapomnijcie|proszę zapomnieć) o (mnie|moim)`,
    `(zablokujcie|zablokować) (mój|mnie)`,
    `(niekontaktowanie|o niekontaktowanie|nieprzesyłanie|o nieprzesyłanie|niewysyłanie|o niewysyłanie|o niepisanie) [się|mi|więcej|do mnie] [ze mną|więcej|żadnych|mi]`,

    `nie ${imperative} [już|się|ze mną|do mnie|więcej|mi|mnie|nigdy] [się|ze mną|do mnie|więcej|nigdy|z nami|do nas] (więcej|ze mną|do mnie|mi|mnie|się|nam|nas|do nas|z nami|już|nigdy)`,
    `[się] [ze mną|do mnie|z nami|do nas|mnie|mi] [więcej|już|nigdy|dłużej] [się] nie ${infinitive} [się] [już|więcej] (ze mną|do mnie|z nami|do nas|mi|mnie|nam|nas|więcej|kolejnych|żadnych|dalszych|tych|do mnie więcej)`,
    `(ze mną|do mnie|z nami|do nas|mnie|mi|nas|nam) [się] [więcej|już|nigdy|dłużej] [się] nie ${infinitive}`,
    `(więcej|nigdy więcej|już) [się] (do mnie|ze mną|mnie|mi|do nas|z nami) [się] nie ${infinitive}`,
    `(się) [ze mną|z nami|więcej|już] [więcej|już] nie kontaktować`,
    `nie kontaktować [się] (więcej|ze mną|z nami|już)`,
    `nie (wysyłać|przysyłać|wysyłaj|wysyłajcie|przysyłajcie) [mi|nam|do mnie] [już|więcej] (żadnych|kolejnych|więcej|dalszych|tych|niczego)`,
    `(przestań|przestańcie|skończ|skończcie|przestać|zaprzestań|zaprzestańcie) [już|wreszcie|proszę] [do mnie|mi|mnie|ze mną|do nas] [się] [już] (${infinitive.slice(1, -1)}|wysyłania|pisania)`,
    `(zaprzestanie|zaprzestania|zaprzestać|zakończenie|o zaprzestanie) [wysyłania|dalszego|wszelkiego|jakiegokolwiek|przesyłania|wszelkich] [mi] ${mails}`,
    `(usuń|usuńcie|usunąć|wykreśl|wykreślcie|wykreślić|skreśl|skreślić|wypisz|wypiszcie|wypisać|wyrzuć|wyrzućcie) [proszę] (mnie|nas) [proszę|natychmiast] [z|ze] (listy|z|ze|tej|bazy|państwa|waszej|swojej|swoich|list)`,
    `(mnie|nas) [proszę|natychmiast] (usunąć|wykreślić|wypisać|skreślić|usuń|wykreśl|wypisz) [z|ze] (z|ze|listy|bazy|tej)`,
    `(mnie|nas) (pani|pan|państwo) (usunąć|wykreślić|wypisać|skreślić) [z|ze]`,
    `(wypisz|wypiszcie|wypisać) (mnie|nas)`,
    `(usuń|usuńcie|usunąć|skasuj|skasujcie|skasować|wykreślić|wykreślcie) [proszę|natychmiast|niezwłocznie] [wszystkie|wszelkie] (moje|mój|nasze|nasz) ${data}`,
    `(usunięcie|o usunięcie|wykreślenie|o wykreślenie|skasowanie) [wszystkich] (moich|mojego|mnie|naszych|naszego) [${data.slice(1, -1)}] [z|ze]`,
    "(daj|dajcie|dać) (mi|nam) [wreszcie|już|święty] (spokój|święty spokój)",
    "(zostaw|zostawcie|zostawić) (mnie|nas) w spokoju",
    `(żadnych|bez|dość) (więcej|kolejnych|dalszych|nowych|tych|waszych) ${mails}`
  ],
  statements: [
    `(nie|nigdy) [nigdy|nie] (wyrażałem|wyrażałam|wyraziłem|wyraziłam|wyrażam|zgadzam|dawałem) [nigdy|się na|państwu] [zgody] [na|zgody] ~ (kontakt|otrzymywanie|przetwarzanie|wiadomości|maile|korespondencję)`,
    `(wolałbym|wolałabym|wolę|prosiłbym|prosiłabym) [już|więcej|żeby|aby|by|o] (nie|niekontaktowanie) [już|więcej] (dostawać|otrzymywać|kontaktować|pisać|pisano)`,
    `(mam|mamy) (dość|dosyć) (waszych|tych|pana|pani|państwa|ciągłych|takich)`,
    `(zabraniam|zakazuję) [państwu|panu|wam|dalszego|kontaktowania|wykorzystywania]`,

    `nie (życzę|życzymy) sobie [już|więcej|od|państwa] ~ (kontaktu|wiadomości|dalszych|maili|otrzymywania|więcej|kontaktowania|korespondencji|żadnych|ofert)`,
    `nie (chcę|chcemy|chciałbym|chciałabym|zamierzam|życzę) [już|więcej|dłużej] [od|państwa|was|sobie] [państwa|was] [więcej|już|żadnych] (dostawać|otrzymywać|być|czytać|widzieć|kontaktu|wiadomości|maili|słyszeć|mieć)`,
    `(wolę|wolałbym|wolałabym) (nie dostawać|nie otrzymywać|żeby|aby) [państwo|pan|pani] [nie]`,
    `(chcę|chciałbym|chciałabym|chcemy) (się wypisać|wypisać się|zrezygnować|zostać usunięty|zostać usunięta|zostać wypisany)`,
    `(rezygnuję|rezygnujemy) z (otrzymywania|subskrypcji|newslettera|dalszych|wiadomości|kontaktu|dalszego)`,
    `(prosiłem|prosiłam|prosiliśmy|mówiłem|mówiłam|pisałem|pisałam) ~ (nie pisać|nie pisała|nie pisał|nie kontaktować|nie kontaktował|nie kontaktowała|o usunięcie|nie wysyłać|nie pisali|nie wysyłali|o niekontaktowanie)`,
    `(prosiłem|prosiłam|prosiliśmy), (żeby|aby|by|o) ~ (nie|usunięcie|zaprzestanie)`,
    `(żądam|żądamy|wnoszę o|domagam się|wnioskuję o) [niezwłocznego|natychmiastowego|niezwłoczne] (usunięcia|usunięcie|skasowania|zaprzestania|wykreślenia)`,
    "(wnoszę|zgłaszam|wyrażam|składam) sprzeciw [wobec|co]",
    "sprzeciwiam się [przetwarzaniu]",
    "(cofam|wycofuję|odwołuję) [moją|swoją] zgodę"
  ],
  doubts: [
    "(zgłoszę|zgłaszam|oznaczę|oznaczam) ~ (spam|nękanie)",
    "to jest (spam|nękanie)",
    "(spadaj|spadajcie|odczep|odczepcie|odwal|wypad)",
    "nie (dzwoń|dzwońcie|dzwonić)",
    `nie ${imperative}`,
    `nie ${infinitive}`,
    "nie kontaktować"
  ],
  leadIns: [
    "dzień dobry",
    "cześć",
    "witam",
    "nie",
    "nie dziękuję",
    "dziękuję",
    "dzięki",
    "i",
    "ale",
    "więc",
    "dlatego",
    "zatem",
    "od teraz",
    "na przyszłość",
    "w przyszłości",
    "po raz ostatni",
    "jeszcze raz",
    "już",
    "więcej",
    "natychmiast",
    "uprzejmie",
    "bardzo",
    "prosimy",
    "(proszę|prosimy) [o|was|państwa|pana|panią|uprzejmie|ponownie|żeby|aby]",
    "czy (może|mogą|mógłby|mogłaby|mogliby|możecie|możesz|moglibyście) [pan|pani|państwo|mnie|mi] [pan|pani|państwo]",
    "(może|mogą|możecie|możesz|mógłby|mogłaby|mogliby) [mnie|mi] [pan|pani|państwo]",
    "(chcę|chciałbym|chciałabym) [prosić|poprosić] [o]",
    "(żeby|aby|by|o)",
    "(żądam|żądamy|wnoszę) [o]",
    "nie jestem zainteresowany",
    "nie jestem zainteresowana",
    "(pan|pani|państwo)"
  ],
  pleases: [
    "proszę",
    "prosimy",
    "bardzo proszę",
    "uprzejmie proszę",
    "proszę o",
    "prosimy o",
    "poproszę",
    "poproszę o",
    "proszę się"
  ],
  joins: ["(i|a|ale|więc|bo|lub|albo|oraz|dlatego)"],
  negations: ["(nie|nigdy|bez|proszę nie) [chcę|trzeba|musi|musicie|należy|chcemy|warto]"],
  others: [
    "(kto|jak|dlaczego|czemu|kiedy|ktoś|nikt|ludzie|on|ona|oni|klienci|klientów|użytkownicy|kandydaci|niektórzy|wielu|inni|żona|mąż)",
    "(pomagamy|pozwalamy|umożliwiamy|pomagam)",
    "(mój|moja|nasz|nasza) (kolega|koleżanka|szef|szefowa|klient|żona|mąż)"
  ],
  reports: [
    "(powiedział|powiedziała|mówi|mówią|mówili|napisał|napisała że|prosił|prosiła|prosili|prosi|proszą nas|twierdzi|odpowiedział)"
  ],
  limits: [
    "(przed|dopóki|jeśli|jeżeli|gdy|kiedy|chyba|podczas|dziś|dzisiaj|jutro|obecnie|tutaj|tylko|raczej|lepiej|póki|aż|zanim|oprócz|wieczorem|tymczasowo)",
    "do (poniedziałku|wtorku|środy|czwartku|piątku|czasu|końca|jutra|momentu|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|lata|jesieni|wiosny|zimy|odwołania)",
    "(na razie|w tej chwili|w tym roku|w tym miesiącu|w tym tygodniu|w tym kwartale|póki co|w weekend|w weekendy|tego lata|tak często)",
    "(na|przez|w|po) (linkedin|linkedinie|whatsapp|whatsappie|telefon|telefonicznie|facebooku|telefonu|urlopie|ten numer|wakacjach|prywatny|prywatnym)",
    "(przez|za|na) (jeden|dwa|trzy|cztery|sześć|kilka|najbliższy|najbliższe) (dzień|dni|tydzień|tygodnie|tygodni|miesiąc|miesiące|miesięcy|rok|lata)",
    "(w tej sprawie|na ten temat)"
  ],
  invitations: [
    "(proszę) [raczej|lepiej] (pisać|napisać|dzwonić|zadzwonić|odezwać|kontaktować|skontaktować) [się] [do mnie|ze mną] (na|po|w|pod|za|przez|jutro|później|mailowo)",
    "(napisz|napiszcie|zadzwoń|zadzwońcie|odezwij|odezwijcie) [się] [do mnie|ze mną] (na|po|w|pod|za|przez|jutro|później)",
    "(na|pod|przez|adres) @",
    "wolę (maile|maila|e mail|telefon)"
  ]
}
