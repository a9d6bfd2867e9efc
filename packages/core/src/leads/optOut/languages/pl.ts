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

const contacting =
  "(pisz|piszcie|pisać|kontaktuj|kontaktujcie|kontaktować|wysyłaj|wysyłajcie|wysyłać|przysyłaj|przysyłajcie|przysyłać|przesyłaj|przesyłajcie|przesyłać|nękaj|nękajcie|nękać|niepokój|niepokójcie|niepokoić|zawracaj|zawracajcie|zawracać|odzywaj|odzywajcie|odzywać|męcz|męczcie|męczyć|spamuj|spamujcie|spamować|zaczepiaj|zaczepiajcie|zaczepiać|nagabuj*|nagabywać|narzucaj|narzucajcie|narzucać|zasypuj*|zasypywać|truj|trujcie)"

export const pl: OptOutLanguage = {
  script: "latin",
  alone: [
    "wypisz mnie",
    "wypisz",
    "rezygnuję",
    "wypisać",
    "mnie wypisać",
    "proszę mnie wypisać",
    "wypisuję się",
    "anuluj subskrypcję",
    "wyrejestruj"
  ],
  aloneInMessage: ["stop", "dość", "wystarczy", "przestań", "przestańcie", "usuń", "usunąć", "koniec"],
  commands: [
    "nie (ponawiać|ponawiaj|ponawiajcie)",
    "(wypisanie|usunięcie|wykreślenie|skreślenie) [mnie|mojego adresu|nas] z",
    `[się] (więcej|już|nigdy) [się] nie ${contacting}`,
    `(skończ*|przesta*|dość|dosyć|koniec|daruj*|oszczędź*) [już] [sobie|mi] [z|ze|tych|te|tymi|tego|waszych] [tymi|tych|waszymi|tym|swoimi] (${mails.slice(1, -1)}|${contacting.slice(1, -1)}|mail*|wiadomości*|ofert*|reklam*|spam*)`,
    "(odczep*|odwal*) się",
    `nie ${contacting} [już|się|mi|mnie|do mnie|ze mną|więcej] [już|się|mi|mnie|do mnie|ze mną|więcej] (więcej|wiecej|ze mną|do mnie|do nas|mi|mnie|nam|nas|z nami|nigdy|ponownie|$)`,
    "[o] (niekontakt*|nieprzesył*|nieprzysył*|niewysył*|niepis*|nienęk*|nieodzyw*|niepok*) [się] (ze mną|do mnie|mnie|mi|z nami|do nas|$)",
    "(usu*|wykreśl*|skreśl*|wypisz*|wypisa*|wyrzu*|skasuj*|skasowa*|zdejm*|zabierz*) [państwo|pan|pani] (mnie|nas|mój|moje|nasz|nasze|ten) ~ (z|ze) (list*|baz*|subskr*|newsl*|tej|wasz*|państwa|swo*|kartotek*|system*)",
    "(zaprzesta*|powstrzyma*|zaniecha*) [się] [od] [dalsz*|wszelk*|jakiego*] (kontakt*|wysył*|przesył*|przysył*|korespond*|pis*|nęk*|nagab*|ofert*|komunik*)",
    `(niech) (pan|pani|państwo) [więcej|już] [do mnie|się] (nie|przestanie|przestaną) [do mnie|więcej|już|się]`,
    `(zabierzcie|zabierz|wyrzućcie|skasujcie|zdejmijcie) (mnie|mój|moje|nas) [z|ze]`,
    `(dość|koniec|stop) [już] [tych|z|waszych|tym|tymi|takich] ${mails}`,
    `(zapomnijcie|proszę zapomnieć) o (mnie|moim)`,
    `(zablokujcie|zablokować) (mój|mnie)`,
    `(niekontaktowanie|o niekontaktowanie|nieprzesyłanie|o nieprzesyłanie|niewysyłanie|o niewysyłanie|o niepisanie) [się|mi|więcej|do mnie] [ze mną|więcej|żadnych|mi]`,
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
    "nie (macie|ma|mają) [pan|pani|państwo] [mojej] (zgody|prawa|pozwolenia) (na|do) (używan*|wykorzyst*|kontakt*|przetwarz*|pisania)",
    "(aby|żeby|by) [państwo|pan|pani] nie (pisali|pisał|pisała|wysyłali|kontaktowali|przysyłali|nękali) ~ (więcej|już|do mnie|do nas|na ten adres)",
    "(wdzięczn*|wolał*|prosił*|zobowiązan*|miło) [mi] [by] [za|o|jeśli|gdyby*|żeby*|aby*|, gdyby*|, żeby*] ~ (nie|niekontakt*|nieprzesył*|niewysył*|usunięcie|wykreślenie|przesta*)",
    "nie (życz*|chc*|potrzeb*) [sobie] [już|więcej|od was|od państwa] [żadn*|kolejn*|dalsz*|takich|waszych|państwa] (ofert*|mail*|wiadom*|kontakt*|reklam*|telefon* i mail*|korespond*|newsl*|spam*)",
    `(nie|nigdy) [nigdy|nie] (wyrażałem|wyrażałam|wyraziłem|wyraziłam|wyrażam|zgadzam|dawałem) [nigdy|się na|państwu] [zgody] [na|zgody] ~ (kontakt|otrzymywanie|przetwarzanie|wiadomości|maile|korespondencję)`,
    `(wolałbym|wolałabym|wolę|prosiłbym|prosiłabym) [już|więcej|żeby|aby|by|o] (nie|niekontaktowanie) [już|więcej] (dostawać|otrzymywać|kontaktować|pisać|pisano)`,
    `(mam|mamy) (dość|dosyć) (waszych|tych|pana|pani|państwa|ciągłych|takich)`,
    `(zabraniam|zakazuję) [państwu|panu|wam|dalszego|kontaktowania|wykorzystywania]`,
    `nie (chcę|chcemy|chciałbym|chciałabym|zamierzam|życzę) [już|więcej|dłużej] [od|państwa|was|sobie] [państwa|was] [więcej|już|żadnych] (dostawać|otrzymywać|być|czytać|widzieć|kontaktu|wiadomości|maili|słyszeć|mieć)`,
    `(chcę|chciałbym|chciałabym|chcemy) (się wypisać|wypisać się|zrezygnować|zostać usunięty|zostać usunięta|zostać wypisany)`,
    `(rezygnuję|rezygnujemy) z (otrzymywania|subskrypcji|newslettera|dalszych|wiadomości|kontaktu|dalszego)`,
    `(prosiłem|prosiłam|prosiliśmy|mówiłem|mówiłam|pisałem|pisałam) ~ (nie pisać|nie pisała|nie pisał|nie kontaktować|nie kontaktował|nie kontaktowała|o usunięcie|nie wysyłać|nie pisali|nie wysyłali|o niekontaktowanie)`,
    `(żądam|żądamy|wnoszę o|domagam się|wnioskuję o) [niezwłocznego|natychmiastowego|niezwłoczne] (usunięcia|usunięcie|skasowania|zaprzestania|wykreślenia)`,
    "(wnoszę|zgłaszam|wyrażam|składam) sprzeciw [wobec|co]",
    "sprzeciwiam się [przetwarzaniu]",
    "(cofam|wycofuję|odwołuję) [moją|swoją] zgodę"
  ],
  concepts: {
    stop: "(przesta*|skończ*|zaprzesta*|zakończ*|daruj*|wstrzym*|powstrzym*|zaniech*|rezygnuj*|dajcie se spokój|dajcie spokój)",
    remove:
      "(usuń*|usunąć|usunięcie|usunięcia|wykreśl*|skreśl*|wypisz*|wypisać|wyrzuć*|skasuj*|skasować|zdejm*|zabierz*|wyrejestr*|wymaż*|wykreślenie|wykreślenia)",
    contact:
      "(pisać|pisz|piszcie|pisania|kontaktować|kontaktuj*|kontaktowania|wysyłać|wysyłaj|wysyłajcie|wysyłania|przysyłać|przysyłaj*|przysyłania|przesyłać|przesyłania|nękać|nękania|niepokoić|odzywać|spamować|spamuj*|zawracać|męczyć|zaczepiać|nagabywać|nagabywania|narzucać|kontaktu|korespondencji)",
    me: "(mnie|mi|mną|nas|nam|nami|ten adres|ten numer|mój adres|mojego adresu|moją skrzynkę|moja skrzynka)",
    mine: "(moje|moich|mój|mojego|nasze|naszych|nasz) (dane|danych|adres|adresu|numer|numeru|nazwisko|dane kontaktowe|dane osobowe|danych osobowych|profil|e mail|email) [osobowych|kontaktowych]",
    list: "(list*|baz*|subskr*|newsletter*|kartotek*|system*|crm|mailing*|rejestr*|zbior*|kampani*)",
    mails:
      "(wiadomości|maili|mailami|maile|mailem|e maili|emaili|kontaktu|kontaktów|korespondencji|reklam*|spamu|newsletter*|ofert*|informacji|prób|propozycji|treści)",
    more: "(więcej|już|nigdy|żadn*|kolejn*|dalsz*|dłużej|ponownie|tych|waszych|wasze|takich|tymi|wszelk*|jakich*|jakiej*|swoich|tego|niczego|nic|od państwa|od was|od pana|od pani)",
    want: "(chcę|chcemy|chciał*|życzę|życzymy|zamierzam|potrzebuj*|wolał*|wyrażam|zgody|zgadzam|interesuj*|mam ochoty|proszę)",
    receive:
      "(dostawać|otrzymywać|otrzymywanie|słyszeć|czytać|widzieć|być kontakt*|mieć|sobie|kontakt marketingowy|kontakt handlowy|kontakt)",
    reversal:
      "(przegapić|stracić|zapomn*|wahaj*|przejmow*|problemu|przeszkadza*|martw*|poprzedni*|nie przestawaj*|nie usuwaj*|niestety|dotarł*|kłopotu|cennik*|cen)"
  },
  doubts: [
    "(trzeci|czwarty|piąty|szósty|dziesiąty|kolejny|enty) (mail|raz|e mail|sms)",
    "(trzecia|czwarta|piąta|szósta|kolejna) wiadomość",
    "(zgłoszę|zgłaszam|oznaczę|oznaczam) ~ (spam|nękanie)",
    "to jest (spam|nękanie)",
    "(spadaj|spadajcie|odczep|odczepcie|odwal|wypad)",
    "nie (dzwoń|dzwońcie|dzwonić)",
    `nie ${imperative}`,
    `nie ${infinitive}`,
    "nie kontaktować"
  ],
  leadIns: [
    "(nie interesuje|nie interesują) (mnie|nas) [to]",
    "nie jestem zainteresowan*",
    "nie mam zainteresowania",
    "(ludzie|człowieku|panie|słuchajcie|ile razy mam mówić)",
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
  fillers: [
    "w przeciwnym razie",
    "nie chc* (przeszkadzać|zawracać głowy|się narzucać)",
    "ani (mailowo|telefonicznie|listownie|w żaden inny sposób|inaczej)",
    "w (żaden|jakikolwiek) sposób",
    "(natychmiast|niezwłocznie|uprzejmie|bezzwłocznie|stanowczo|kategorycznie|wreszcie|naprawdę|grzecznie|po prostu)",
    "w przyszłości",
    "na przyszłość",
    "od (teraz|dziś|dzisiaj|tej pory)",
    "raz na zawsze",
    "jak najszybciej"
  ],
  denials: ["(nie|nigdy|żadn*|bez)"],
  joins: ["(i|a|ale|więc|bo|lub|albo|oraz|dlatego)"],
  negations: ["(nie|nigdy|bez|proszę nie) [chcę|trzeba|musi|musicie|należy|chcemy|warto]"],
  others: [
    "(odbiorcy|odbiorców|subskrybenci|kto|jak|dlaczego|czemu|kiedy|ktoś|nikt|ludzie|on|ona|oni|klienci|klientów|użytkownicy|kandydaci|niektórzy|wielu|inni|żona|mąż)",
    "(pomagamy|pozwalamy|umożliwiamy|pomagam)",
    "(mój|moja|nasz|nasza) (kolega|koleżanka|szef|szefowa|klient|żona|mąż)"
  ],
  reports: [
    "(powiedział|powiedziała|mówi|mówią|mówili|napisał|napisała że|prosił|prosiła|prosili|prosi|proszą nas|twierdzi|odpowiedział)"
  ],
  limits: [
    "(omyłkowo|pomyłk*|przypadkowo|przypadkiem)",
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
