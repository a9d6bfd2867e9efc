/** How opt-outs are worded in German. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const me = "(mich|mir|uns|meine adresse|diese adresse|an mich|@)"
const imperative =
  "(kontaktieren|kontaktier|kontaktiere|kontaktiert|schreiben|schreib|schreibe|schreibt|schicken|schick|schicke|schickt|senden|sende|sendet|belästigen|belästige|belästigt|stören|störe|stört|behelligen|mailen|maile|mailt|spammen|spamme|melden|melde|meldet|nerven|nerv|nervt|bewerben|ansprechen)"
const infinitive =
  "(kontaktieren|anschreiben|anzuschreiben|schreiben|zu schreiben|zu kontaktieren|melden|zu melden|anmailen|anzumailen|mailen|belästigen|zu belästigen|stören|behelligen|schicken|zu schicken|senden|zu senden|zusenden|zuzusenden|zuschicken|zuzuschicken|ansprechen|anzusprechen|nachfassen|nachzufassen|nachhaken|spammen|nerven|zu nerven)"
const participle =
  "(kontaktiert|angeschrieben|angesprochen|belästigt|behelligt|gestört|angemailt|genervt|beworben|zugespammt)"
const mails =
  "(e mails|emails|mails|e mail|mail|nachrichten|nachricht|kontaktaufnahme|kontaktaufnahmen|kontakt|kontakte|kontaktversuche|kontaktversuchen|anfragen|anfrage|werbung|werbemails|anschreiben|post|zuschriften|angebote|newsletter|spam|belästigung|belästigungen|informationen)"
const no = "(nicht|nicht mehr|nicht weiter|nicht länger|nie mehr|nie wieder|niemals wieder|niemals|künftig nicht mehr)"
const list =
  "(verteiler|verteilers|verteilerliste|liste|listen|mailingliste|mailingverteiler|datenbank|datenbanken|kartei|kontakten|kontaktliste|adressliste|system|crm|kampagne|sequenz|empfängerliste|bestand)"
const data =
  "(daten|kontaktdaten|adresse|adressdaten|e mail adresse|mailadresse|email adresse|kontakt|e mail|nummer|namen|eintrag|profil|informationen)"
const yours = "(ihrem|ihrer|ihren|eurem|eurer|euren|deinem|deiner|dem|der|diesem|dieser|allen|jeglichen|jeder)"

const removal =
  "(nehm*|nimm|streich*|entfern*|lösch*|trag*|werf*|wirf|schmeiß*|hol*|tilg*|kick*|vernicht*|vergess*|vergiss)"

export const de: OptOutLanguage = {
  script: "latin",
  alone: ["abmelden", "abbestellen", "austragen", "abbestellung", "abmeldung", "newsletter abbestellen"],
  aloneInMessage: [
    "streichen",
    "entfernen",
    "austragen",
    "sparen sie sich die mühe",
    "spart euch die mühe",
    "stop",
    "stopp",
    "aufhören",
    "löschen",
    "schluss",
    "genug",
    "schluss damit",
    "ende"
  ],
  commands: [
    "(von|aus) [allen|sämtlichen|ihren|euren|der|dem|den] (*liste*|*verteiler*|*datenbank*) (streichen|löschen|entfernen|austragen|nehmen)",
    "(aufhören|aufzuhören) (mich|mir|uns) ~ (*schicken|*senden|*schreiben|*mailen|*kontaktieren|*lästigen|*nerven|*spammen)",
    "(setzen|setzt|setz|nehmen|nehmt|tragen|tragt) [sie] (mich|uns|mein*|unser*) ~ auf [ihr*|eur*|die|dein*] (sperrliste|blacklist|blockliste|robinsonliste|ausschlussliste)",
    "(verwenden|nutzen|benutzen|nutzt|verwendet) [sie] (diese|meine|unsere) ~ (nicht|nie) [mehr] [für|zu]",
    "verschon* [sie] (mich|uns) [mit|vor|von]",
    `${removal} [sie] [alle|sämtliche] (mich|uns|@|mein*|unser*|diese*) ~ (aus|von) (ihr*|eur*|dein*|dem|der|den|dies*|all*|jeder) [${list.slice(1, -1)}]`,
    `${removal} [sie] (alles|alle daten) ~ (über|von|zu) (mich|mir|uns)`,
    "(bombardier*|zuspam*|spam*|müll*|nerv*|quäl*|stress*|stalk*) [sie] (mich|uns) [bitte] [nicht|mit]",
    "(nehmen|nehmt|nimm) [sie] (keinen|keinerlei|nie wieder|nicht mehr|nie mehr) [weiteren] kontakt",
    `(nehmen|nehmt|nimm|tragen|tragt|trag|holt|holen|werft|werfen|streicht|streichen) [sie] (mich|uns) [bitte|jetzt|endlich|sofort] [da|hier|dort] (raus|heraus|aus|ab|davon)`,
    `(von|auf) (weitere|weiteren|weiterer|jegliche|jegliche weitere|jegliche weiteren|allen weiteren|jede|jeder|künftige|künftigen) (kontaktversuchen|kontaktaufnahmen|mails|e mails|nachrichten|anfragen|zusendungen|kontakt|kontaktaufnahme|anschreiben|anrufen|werbung|werbe e mails|belästigungen) [bitte|in zukunft|künftig] (abzusehen|absehen|zu verzichten|verzichten|abstand nehmen)`,
    `(sparen|spart|spar) [sie] (euch|sich|dir) (weitere|die|ihre|eure|deine) ${mails}`,
    `(sparen|spart|spar) [sie] (euch|sich|dir) ${mails}`,
    `(stellen|stellt|stell) [sie] [bitte] [umgehend|sofort|ab sofort] (die|den|das|ihre|alle|jede|jegliche|diese) [weitere|weiteren] ~ ein`,
    `(hören|hört|hör) [sie] [bitte|endlich|sofort|jetzt] (damit) [bitte|endlich] auf`,
    `(finger weg von) (meiner|meinem|meinen)`,
    `(vergessen|vergiss|vergesst) [sie] (meine|mich|uns)`,
    `${imperative} [sie] [bitte] ${me} [bitte|in zukunft|zukünftig|künftig|ab sofort|doch|also|daher|deshalb] ${no}`,
    `${imperative} [sie] [bitte] ${me} [bitte|in zukunft|zukünftig|künftig|ab sofort|doch] [einfach] (keine|keinen|keinerlei|nichts) [mehr|weiteren|weitere|weiter|einzige] [mehr]`,
    `${me} [bitte|in zukunft|zukünftig|künftig|ab sofort|auch] ${no} [mehr|weiter] ${infinitive}`,
    `${no} [mehr|weiter] ${infinitive}`,
    `(keine|keinen|keinerlei) (weiteren|weitere|weiterer|einzigen|neuen) ${mails}`,
    `(keine|keinen|keinerlei) ${mails} mehr`,
    `nichts mehr (schicken|senden|zusenden|schreiben|zuschicken)`,
    `(nehmen|nehmt|nimm|streichen|streicht|streich|streiche|entfernen|entfernt|entferne|löschen|löscht|lösche|tragen|tragt|trag|werfen|schmeißen|holen) [sie] [bitte] (mich|uns|@) [bitte|umgehend|sofort|daher|endlich|auch] (aus|von) ${yours}`,
    `(mich|uns) [bitte|umgehend|sofort|endlich] (aus|von) ${yours} ~ (nehmen|zu nehmen|streichen|zu streichen|entfernen|zu entfernen|löschen|zu löschen|austragen|auszutragen|herauszunehmen|rauszunehmen|herausnehmen|rausnehmen)`,
    `(löschen|lösche|löscht|entfernen|entferne|entfernt|streichen|streiche|streicht|vergessen|vergiss) [sie] [bitte] [umgehend|sofort|unverzüglich] [alle|sämtliche] [umgehend|sofort] (meine|meinen|mein|unsere|diese) [personenbezogenen|persönlichen|gespeicherten|gesamten] ${data}`,
    `(sehen|seht|sieh) [sie] [bitte] [künftig|zukünftig|in zukunft|ab sofort|bitte künftig] (von|davon) ~ ab`,
    `(von|davon) (weiteren|weiterer|jeglichen|jeder|jeglicher|künftigen) [weiteren] ${mails} [bitte] (abzusehen|absehen|abstand nehmen|abstand zu nehmen)`,
    `davon abzusehen [mich|mir|uns] [weiter] ${infinitive}`,
    `(hören|hört|hör) [sie] [bitte|endlich|sofort] [doch] [bitte|endlich] auf [damit] [mich|mir|uns] [ständig|weiter|dauernd|immer wieder|e mails|mails|nachrichten]`,
    `(unterlassen|unterlasst|unterlass) [sie] [bitte] [es|künftig|zukünftig|in zukunft|sofort|das] [bitte] [weitere|jegliche|jede|jede weitere|alle|alle weiteren|mir|mich|uns|weiter|die|ihre|weiterhin]`,
    `(verzichten|verzichtet|verzichte) [sie] [bitte] [auf|künftig auf|zukünftig auf|in zukunft auf] [jede|jegliche|alle] (weitere|weiteren|jede weitere|jegliche|alle weiteren)`,
    `(stoppen|stoppt|beenden|beendet) [sie] [bitte] [sofort|umgehend] (die|alle|ihre|jede|jegliche|den|diese) [weiteren|weitere] ${mails}`,
    "(lassen|lass|lasst) [sie] (mich|uns) [bitte|endlich|einfach|doch|doch bitte|doch endlich|jetzt] (in ruhe|in frieden|zufrieden)",
    `aus ${yours} ${list} (nehmen|streichen|löschen|entfernen|austragen)`,
    "(bestellen|bestellt|bestell|melden|meldet) [sie] (mich|uns) [bitte] ab"
  ],
  statements: [
    "(ich|i|wir|mir) (will|wü|mag|möchte|wollen|wui) (davon|darüber|dazu|von euch|von ihnen|von dir) (nichts|nix) mehr",
    "(ich|i|wir) (will|wü|mag|möchte|wollen|wui) (nichts|nix) mehr (von|mit) (euch|ihnen|dir)",
    "(kontaktaufnahme*|anrufe|werbung|e mails|mails|zusendungen) [ist|sind|von ihnen] (ist|sind) (unerwünscht|nicht erwünscht|nicht gewünscht)",
    "(ich|wir) [bitte*|fordere|fordern] ~ (von|auf) [jeder|jeglichen|jeglicher|allen] weitere* ~ (abzusehen|zu verzichten|abstand)",
    `(kein|keinen|keine) [echten] (bock|lust|interesse|bedarf) [mehr] (auf|an) (ihre|ihren|eure|euren|deine|weitere|weiteren|solche|solchen) ${mails}`,
    `(habe|haben) [ich|wir] [ihnen|euch|dir|ihnen nie|nie] (nie|nicht|niemals|keine|nie eine) [meine|die|eine] (einwilligung|zustimmung|erlaubnis) [gegeben|erteilt]`,
    `(ich|wir) (untersage|untersagen|verbiete|verbieten) [ihnen|euch|dir] [hiermit|ausdrücklich] (jede|jegliche|die|mich|uns|weitere|es)`,
    `(ich|wir) (bestehe|bestehen|wünsche|wünschen) [ausdrücklich|darauf] [dass] ~ (gelöscht|nicht mehr kontaktiert|gestrichen|entfernt)`,
    `(ich|wir) [bitte|möchte|möchten] [sie|euch|dich] [bitten] [hiermit|höflich|inständig|daher|deshalb|nachdrücklich|nochmals] [mich|uns|mir|darum|künftig] [mich|uns|mir] ${no} [mehr|weiter] ${infinitive}`,
    `(möchte|möchten|will|wollen|wünsche|wünschen) [ich|wir] [von ihnen|von euch|von dir|künftig|in zukunft|bitte|auch] ${no} [mehr|weiter] ${participle} [werden]`,
    `(möchte|möchten|will|wollen|wünsche|wünschen|brauche|erwarte) [ich|wir] [von ihnen|von euch|von dir|bitte|künftig|in zukunft|ausdrücklich] (keine|keinen|keinerlei) [weiteren|weitere|weiterer|einzige] ${mails} [mehr]`,
    `(möchte|möchten|will|wollen) [ich|wir] [mich|uns] [bitte|gern|gerne|von diesem|vom] [verteiler|newsletter] (abmelden|abbestellen|austragen)`,
    `(möchte|möchten|will|wollen) [ich|wir] (ihren|euren|den|diesen|ihre|eure|diese) ~ (abbestellen|kündigen)`,
    `(möchte|möchten|will|wollen) [ich|wir] [bitte] (aus|von) ${yours} ${list} ~ (gestrichen|gelöscht|entfernt|genommen|ausgetragen|raus)`,
    "(widerspreche|widersprechen) [ich|wir] [hiermit|ausdrücklich|außerdem] [hiermit] (der|jeder|jeglicher|einer|ihrer|dem)",
    "(widerrufe|widerrufen|ziehe) [ich|wir] [hiermit|ausdrücklich] (meine|unsere|jede) [einwilligung|zustimmung|erlaubnis]",
    "(fordere|fordern|verlange|verlangen|beantrage|bitte um|bitten um) [ich|wir] [sie] [auf|hiermit|umgehend|um] [die] [vollständige|sofortige|umgehende|unverzügliche] (löschung|auf)",
    `(ich|wir) (verbitte|verbitten) (mir|uns)`,
    `nichts mehr von (ihnen|euch|dir) (hören|lesen|wissen)`
  ],
  concepts: {
    stop: "(schluss|aufhören|aufzuhören|hören sie auf|hört auf|hör auf|hörts auf|unterlass*|einstellen|einzustellen|abzusehen|absehen|zu verzichten|verzichten sie|verbitte|unerwünscht|sein lassen|bleiben lassen|verschon*|ersparen|stop|stopp|stoppen|stoppt)",
    remove:
      "(lösch*|entfern*|streich*|runternehmen|rausnehmen|*auszunehmen|herunternehmen|herausnehmen|austragen|auszutragen|rauswerfen|abmelden|zu löschen|zu entfernen|zu streichen|löschung|entfernung|tilg*|vernicht*)",
    contact:
      "(*kontaktieren|*schreiben|*schicken|*senden|*mailen|*lästigen|*helligen|*haken|*fassen|*spammen|*nerven|kontakt*|*kontaktaufnahme*|schreib*|schick*|send*|mail|mailt|spam*|nerv*|belästig*|melden|kontaktiert|angeschrieben|angemailt|belästigt|behelligt)",
    me: "(mich|mir|uns|ihrerseits|eurerseits|meine adresse|diese adresse|meiner adresse|unsererseits|unser team|unsere mitarbeiter*|unser unternehmen|unsere firma)",
    mine: "(meine|meinen|meiner|mein|unsere|unseren|unserer) [personenbezogenen|persönlichen|gespeicherten|gesamten] (daten|kontaktdaten|adresse|adressdaten|e mail adresse|mailadresse|email adresse|nummer|telefonnummer|handynummer|namen|eintrag|profil)",
    list: "(*verteiler*|*liste*|*datenbank*|*kartei*|*system*|crm|*kampagne*|*sequenz*|*bestand*|*adressen|newsletter*)",
    mails:
      "(e mails|emails|mails|nachrichten|kontaktaufnahme*|kontaktversuch*|anfragen|werbung|werbe*|zuschriften|angebote|newsletter|spam|zusendungen|post|mail|schmarrn|nachricht|zeug|blödsinn|quatsch|mist)",
    more: "(mehr|weitere*|nie wieder|wieder|weiter|länger|jegliche*|jede*|ihre*|eure*|diese*|solche*|keinerlei|niemals|damit|mit dem|alle)",
    want: "(möchte*|will|wollen|wü|mag|wünsche*|brauche*|interesse|bedarf|bock|lust|gewünscht|erwünscht|einverstanden|bitte*|lege wert)",
    receive:
      "(bekommen|erhalten|kriegen|hören|lesen|kontaktiert|angeschrieben|behelligt|belästigt|gestört|empfangen|sehen|wissen|von euch|von ihnen|von dir|beworben|zugeschickt|zugesandt)",
    reversal:
      "(verpassen|verlieren|vergessen|zögern|sorge*|missen|versäumen|stören überhaupt|problem|schade|verzichten zu müssen|leider|bekam|bekomme|never|dont|not|you|the|to|i)"
  },
  doubts: [
    "(dritte*|vierte*|fünfte*|sechste*|zehnte*|x te|zigste*) (mal|mail|e mail|nachricht|anschreiben)",
    "(als|für) (spam|belästigung) (melden|gemeldet|markieren|markiert)",
    "das ist (spam|belästigung)",
    "(verpiss|verpisst|hau ab|haut ab|leck mich|zieh leine)",
    "(rufen|ruf|ruft) [sie] [bitte] (mich|uns) [bitte] (nicht|nie)",
    `${imperative} [sie] [bitte] ${me} [bitte] ~ (nicht|nie)`,
    `(keine|keinen) [weiteren|weitere] ${mails}`,
    "nicht (kontaktieren|anschreiben|melden)",
    "es reicht [jetzt|langsam]"
  ],
  leadIns: [
    "(leute|mann|alter|freunde|herrschaften|hören sie)",
    "hallo",
    "guten tag",
    "hi",
    "danke",
    "vielen dank",
    "danke nein",
    "nein",
    "nein danke",
    "und",
    "aber",
    "also",
    "daher",
    "deshalb",
    "somit",
    "ab sofort",
    "künftig",
    "in zukunft",
    "zukünftig",
    "nochmals",
    "noch einmal",
    "zum letzten mal",
    "jetzt",
    "nun",
    "sofort",
    "kein interesse",
    "kein bedarf",
    "wir haben kein interesse",
    "ich habe kein interesse",
    "(können|könnten|würden|wollen|sollten|dürfen) (sie|wir|ich)",
    "(könntest|kannst|würdest) du",
    "(könntet|könnt|würdet) ihr",
    "(ich|wir) (möchte|möchten|muss|müssen|will|wollen) [sie|euch|dich] [bitten|ersuchen|auffordern] [darum]",
    "(ich|wir) (bitte|bitten|fordere|fordern|ersuche|ersuchen|bestehe|wünsche|erwarte) [sie|euch|dich] [hiermit|höflich|daher|deshalb|auf|nachdrücklich|inständig|darum|darauf|nochmals]",
    "(ich|wir) (habe|haben) (sie|euch|dich|ihnen) [bereits|schon|doch] [einmal|zweimal|mehrfach|mehrmals|oft] [darum] (gebeten|gesagt|aufgefordert)",
    "hiermit",
    "(sie sollen|du sollst|ihr sollt)",
    "darf ich sie bitten",
    "wie gesagt",
    "einfach",
    "bitte darum",
    "sie",
    "mich",
    "mir",
    "gefälligst",
    "endlich",
    "um",
    "mit der bitte"
  ],
  pleases: [
    "bitte",
    "bitte künftig",
    "gefälligst",
    "bitte auch",
    "bitte ab sofort",
    "und bitte",
    "bitte mich",
    "bitte uns"
  ],
  fillers: [
    "(ansonsten|andernfalls)",
    "(ich|wir) (will|möchte|wollte|wollen|möchten) [sie|euch|dich|ihnen] nicht (stören|belästigen|nerven|drängen|auf die nerven gehen)",
    "weder per * noch [per] *",
    "(umgehend|sofort|unverzüglich|künftig|zukünftig|fortan|endlich|doch|einfach|nochmals|freundlicherweise|höflich*|ausdrücklich|gefälligst|hiermit|dringend|generell|grundsätzlich|mal|jetzt|nun|dauerhaft|restlos|vollständig)",
    "in zukunft",
    "ab (sofort|jetzt|heute)",
    "von jetzt an",
    "noch einmal",
    "ein für alle mal",
    "ein für allemal"
  ],
  denials: ["(nicht|nie|kein*|niemals|nichts|nix)"],
  joins: ["(und|aber|oder|sondern|denn|daher|deshalb|also)"],
  negations: [
    "(nicht|nie|niemals|kein|keine|keinen|ohne|statt) [bitte|zu|mich|mir|uns|aus|von]",
    "(müssen|brauchen|sollen|dürfen) [sie|mich] nicht"
  ],
  others: [
    "(wer|wie|warum|wieso|weshalb|ob|wann|wo|jemand|niemand|man|leute|er|kunden|kundinnen|klienten|nutzer|empfänger|kandidaten|bewerber|mitarbeiter|andere|viele|manche|einige|die meisten)",
    "(wir|ich) (helfen|helfe|lassen|ermöglichen)",
    "(kollege|kollegin|chef|chefin|frau|mann|freund|freundin|wettbewerber|mitbewerber|anbieter) ~ (sagte|sagt|schrieb|schreibt|meinte|meint|will|möchte|wollte)"
  ],
  reports: [
    "(sagte|sagt|sagten|sagen|schrieb|schreibt|schrieben|meinte|meint|meinten|bat|baten|fragte|fragt|erzählte|erzählt|antwortete|behauptet|behauptete)"
  ],
  limits: [
    "(versehen*|versehentlich|irrtümlich|fälschlich*)",
    "(vor|bis|solange|sofern|falls|wenn|außer|sobald|während|bevor|ehe|ansonsten|sondern|stattdessen|vorerst|erstmal|derzeit|zurzeit|momentan|heute|morgen|aktuell|nur|lieber|zuerst|hier|nachts|abends)",
    "(in diesem|in diesen|in dieser|im nächsten|dieses|diese|diesen|nächste|nächsten|kommende) (jahr|monat|woche|quartal|sommer|winter|herbst|frühjahr)",
    "(im moment|im augenblick|zur zeit|fürs erste|im urlaub|am wochenende|so oft|so früh|so spät|zu früh|zu oft)",
    "(auf|über|bei|via|per|in) (linkedin|xing|whatsapp|telefon|e mail|mail|meinem handy|mein handy|meine private|meiner privaten|facebook|telegram|diesem kanal|diesem weg|diesen kanal)",
    "(im|ab|nach|seit) (januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)",
    "(dazu|zu diesem|zu dem|diesbezüglich|wegen)",
    "(für|in) (ein|eine|einen|zwei|drei|vier|sechs|einige|ein paar|den nächsten|die nächsten) (tag|tage|tagen|woche|wochen|monat|monate|monaten|jahr|jahre|jahren|zeit)"
  ],
  invitations: [
    "(schreiben|schreib|schicken|schick|mailen|kontaktieren|erreichen|melden|wenden|rufen) [sie|du] [mich|mir|sich|uns|es] [bitte|gern|gerne|lieber|stattdessen|ruhig|dann|einfach] (an @|unter @|über @|an meine|per|nächste|nächsten|nächstes|im januar|im februar|im märz|im april|im mai|im juni|im juli|im august|im september|im oktober|im november|im dezember|im herbst|im sommer|im winter|im frühjahr|nach|am montag|am dienstag|am mittwoch|am donnerstag|am freitag|später|wieder|noch einmal|gern|gerne)",
    "(an|unter|über|auf) @",
    "(kontaktieren|melden) [sie] (mich|sich) (gern|gerne|ruhig)"
  ]
}
