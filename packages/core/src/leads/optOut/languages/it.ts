/** How opt-outs are worded in Italian. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const pre =
  "(contatti|contattate|contatta|contattino|scriva|scrivete|scrivi|scrivano|ricontatti|ricontattate|ricontattare|mandi|mandate|manda|invii|inviate|invia|disturbi|disturbate|disturba|importuni|importunate|cerchi|cercate|infastidite|tempesti|mandino|inviino|contattare|scrivere|mandare|inviare|disturbare|spammate)"
const post =
  "(contattarmi|contattarci|contattatemi|contattateci|scrivermi|scriverci|scrivetemi|scriveteci|mandarmi|mandatemi|inviarmi|inviatemi|disturbarmi|disturbatemi|ricontattarmi|ricontattatemi|importunarmi|importunatemi|cercarmi|cercatemi|infastidirmi|spammarmi|mandarci|inviarci|disturbarci|ricontattarci|insistere|insista|insistete)"
const mails =
  "(email|e mail|mail|messaggi|messaggio|comunicazioni|comunicazione|contatti|contatto|pubblicità|spam|newsletter|proposte|sollecitazioni|notizie|offerte|posta|informazioni)"
const remove =
  "(rimuovetemi|rimuovimi|rimuovermi|toglietemi|toglimi|togliermi|cancellatemi|cancellami|cancellarmi|eliminatemi|eliminami|eliminarmi|disiscrivetemi|disiscrivimi|disiscrivermi|levatemi|levami|levarmi|depennatemi|depennarmi|escludetemi|escludermi|rimuoverci|toglieteci|cancellateci|rimuoveteci)"
const data =
  "(dati|indirizzo|contatto|contatti|email|e mail|mail|nome|numero|nominativo|recapito|recapiti|profilo|dati personali)"

export const it: OptOutLanguage = {
  script: "latin",
  alone: [
    "cancellami",
    "cancellatemi",
    "disiscrivimi",
    "disiscrivetemi",
    "disiscrizione",
    "disiscrivermi",
    "disiscriviti",
    "cancellazione",
    "annulla iscrizione",
    "rimuovimi",
    "rimuovetemi",
    "toglietemi"
  ],
  aloneInMessage: ["basta", "stop", "smettila", "smettetela", "rimuovi", "cancella", "basta così", "fermatevi"],
  commands: [
    `non ${post} (ulteriormente|in futuro|nuovamente|per nessun motivo|ulteriori|ulteriore|alcun|alcuna|nessun|nessuna|nulla|niente)`,
    `non (mi|ci) ${pre} (ulteriormente|in futuro|ulteriori|ulteriore|alcun|alcuna|nessun|nessuna|nulla|niente)`,
    `(di) non (essere|venire) [più] (contattato|contattata|disturbato|disturbata|ricontattato|ricontattata)`,
    `(di) (rimuovere|cancellare|eliminare|togliere) (me|il mio|la mia|i miei|immediatamente)`,
    `(dimenticatevi|si dimentichi|dimenticati) di (me|noi)`,
    `(mi|ci) (togliesse|togliessi|toglieste|rimuovesse|cancellasse|eliminasse|rimuoveste|cancellaste) (dalla|dal|dalle|dai|dall|da)`,
    `(basta|stop) (email|mail|messaggi|messaggio|spam|comunicazioni|pubblicità|con|a queste|alle)`,
    `(evitate|eviti|evita) (di|ulteriori|altri|altre) [${post.slice(1, -1)}]`,
    `non insista [più]`,
    `non insistete [più]`,

    `non (mi|ci) ${pre} [per favore|mai|assolutamente] (più|altro|altri|altre|nuovamente|ancora|mai più|oltre)`,
    `non (mi|ci) (ricontatti|ricontattate|ricontattare|disturbate|disturbi|cerchi|cercate|importunate)`,
    `non ${post} [mai] (più|altro|altri|altre|nuovamente|ancora|mai più|oltre)`,
    `non (ricontattarmi|ricontattatemi|disturbatemi|disturbarmi|importunatemi|cercatemi|cercarmi)`,
    `non (mi|ci) (dovete|deve|devi) [più] (contattare|scrivere|disturbare)`,
    `(smetta|la smetta|la smettete|smetti|smettete|smettetela|smettila|finitela|piantatela|cessi|cessate|eviti|evitate|evita|basta|smettere|evitare|cessare) [subito|immediatamente] (di|con) [mandarmi|inviarmi] (${post.slice(1, -1)}|mandare|inviare|questi|queste|i|le|queste)`,
    `(evitate|eviti|evitare|eviti di) ${post}`,
    `(cessare|cessate|cessi|interrompere|interrompete|interrompa|sospendere|sospendete|fermate|smettere) [immediatamente|subito] (ogni|qualsiasi|tutte|tutti|i|le|gli|linvio|questi|queste|ogni tipo di|ogni forma di) [tipo di|invio di|le|i|linvio di] ${mails}`,
    `${remove} [subito|per favore|immediatamente] (dalla|dal|dalle|dai|dall|da|dallelenco) [vostra|vostro|vostre|vostri|sua|tua|questa|questo]`,
    `(mi|ci) (rimuova|tolga|cancelli|elimini|rimuoviate|togliate|cancelliate|disiscriva|depenni|escluda|rimuovete|togliete|cancellate) (dalla|dal|dalle|dai|dall|da|dallelenco)`,
    "(disiscrivetemi|disiscrivimi|disiscrivermi|cancellami|cancellatemi)",
    `(cancelli|cancellate|cancella|elimini|eliminate|elimina|rimuova|rimuovete|rimuovi|tolga|togliete|togli|distruggete|depennate) [subito|immediatamente] [tutti|per favore] [i|il|la|questo|anche il] (miei|mio|mia|nostri|nostro) ${data}`,
    `(cancellare|eliminare|rimuovere|togliere) [subito|immediatamente] [tutti] [i|il|la] (miei|mio|mia|nostri|nostro) ${data}`,
    "(lasciatemi|lasciami|mi lasci|lasciateci|ci lasci) (in pace|stare|perdere|tranquillo|tranquilla)",
    `(niente|basta) [con] [più|altre|altri|altra|altro|queste|questi|le|i] ${mails}`,
    `(nessuna|nessun) (altra|altro|ulteriore) ${mails}`
  ],
  statements: [
    `(non) [ho|abbiamo] [mai] (autorizzato|dato|acconsentito|prestato|autorizzo) [mai] [il|nessun|alcun|luso|a] ~ (consenso|autorizzazione|email|dati|contatto|essere|indirizzo|comunicazioni|ricevere)`,
    `(preferirei|preferisco|gradirei|vorrei|apprezzerei) [che] (non|mi|se) [ricevere|essere|più|venire|mi|smettesse|smetteste] [più|contattato|contattata|scrivesse|contattasse|scriveste|rimuoveste|togliesse|ricevere] (più|messaggi|email|comunicazioni|contattato|contattata|dalla|di scrivermi|contattasse|scriveste|ricevere|altre)`,
    `(vi|le|ti) (vieto|proibisco|diffido) [formalmente] (di|dal)`,
    `(sono|siamo) (stufo|stufa|stanco|stanca|stufi) (di|delle|dei) (ricevere|queste|questi|vostre|vostri|tutte)`,

    `non (voglio|desidero|vorrei|vogliamo|desideriamo|intendo|gradisco|autorizzo|acconsento|sono disposto|mi va) [più|a] [essere|ricevere|avere|di] ~ (ricevere|contattato|contattata|contattati|disturbato|disturbata|notizie|${mails.slice(1, -1)}|sentirvi|sentire)`,
    `non (voglio|desidero|vogliamo|desideriamo) (più|altre|altri|nessuna|nessun) ${mails}`,
    `non (voglio|vogliamo|desidero) [più] (saperne|avere a che fare|sapere) [più] (niente|nulla|di voi|con voi)`,
    `non (voglio|vogliamo|desidero) (più) (sentirvi|sentirla|sentirti|essere|ricevere|avere)`,
    `(preferisco|preferirei|preferiremmo) (non essere|non ricevere|non venire|che non mi)`,
    `(voglio|vorrei|desidero|vogliamo|chiedo di|chiedo) [essere|di essere] (disiscrivermi|cancellarmi|rimosso|rimossa|cancellato|cancellata|eliminato|eliminata|tolto|tolta|disiscritto)`,
    `(ho|abbiamo) [già|più volte] (chiesto|detto|pregato|scritto) [più volte|due volte|di|già] [di] (non|smettere|smetterla|cancellarmi|rimuovermi|togliermi|essere)`,
    `(chiedo|richiedo|esigo|chiediamo|pretendo) [formalmente|limmediata|la|che siano] [immediata] (cancellazione|rimozione|eliminazione|cancellati|eliminati) [immediata] [di] (dei|di|del|tutti|i) [miei|tutti|mio|tutti i]`,
    "(mi oppongo|ci opponiamo) [formalmente|espressamente] (al|alla|a)",
    "(revoco|ritiro|revochiamo) [espressamente] [il] mio consenso",
    "esercito [il] [mio] diritto (di|alla|allopposizione|alloblio)"
  ],
  doubts: [
    "(segnalare|segnalo|segnalerò|segnalato) ~ (spam|molestia|molestie)",
    "questo è (spam|stalking)",
    "(vaffanculo|andate al diavolo|vada al diavolo|andatevene|sparite)",
    "non (mi|ci) (telefoni|telefonate|chiami|chiamate|telefonare|chiamare)",
    `non (mi|ci) ${pre}`,
    `non ${post}`,
    "non contattare"
  ],
  leadIns: [
    `la`,
    `vi`,
    `ti`,
    `(la|vi) prego`,
    `le sarei grato se`,

    "ciao",
    "buongiorno",
    "salve",
    "no",
    "no grazie",
    "grazie",
    "grazie ma",
    "e",
    "ma",
    "quindi",
    "pertanto",
    "perciò",
    "dunque",
    "allora",
    "dora in poi",
    "da ora in poi",
    "in futuro",
    "per il futuro",
    "per lultima volta",
    "ancora una volta",
    "subito",
    "immediatamente",
    "(la|vi|ti) (prego|preghiamo|invito|invitiamo|chiedo|chiediamo|supplico|diffido) [quindi|cortesemente|gentilmente|pertanto|formalmente] [di|a|dal]",
    "(le|vi|ti) (chiedo|chiediamo|chiederei) [quindi|cortesemente|gentilmente|formalmente|per favore|per cortesia] [di]",
    "(chiedo|chiediamo|prego|pregasi|si prega) [cortesemente|gentilmente|formalmente] [di]",
    "(potrebbe|potreste|può|potete|potresti|puoi) [per favore|cortesemente|gentilmente|almeno]",
    "(vorrei|voglio|desidero|vogliamo) [che|chiedervi di|chiederle di]",
    "(dovete|deve|devi)",
    "siete pregati di",
    "è pregato di",
    "vogliate",
    "di",
    "che",
    "non mi interessa",
    "non sono interessato",
    "non sono interessata",
    "(le|vi|ti) sarei grato se",
    "abbiate la cortesia di",
    "solo"
  ],
  pleases: [
    "per favore",
    "per piacere",
    "per cortesia",
    "cortesemente",
    "gentilmente",
    "prego di",
    "si prega di",
    "vi prego",
    "la prego",
    "ti prego"
  ],
  joins: ["(e|ed|ma|quindi|perché|o|oppure|pertanto|perciò)"],
  negations: ["(non|mai|senza|né) [mi|voglio|serve|bisogna|è necessario|vogliamo|c è bisogno di]"],
  others: [
    "(chi|come|perché|quando|qualcuno|nessuno|gente|lui|lei|loro|egli|clienti|utenti|candidati|persone|alcuni|molti|altri|uno|moglie|marito)",
    "(aiutiamo|permettiamo|lasciamo|offriamo|aiuto)",
    "(un|il mio|la mia|una|i nostri|il nostro) (collega|capo|amico|amica|socio|moglie|marito|cliente)"
  ],
  reports: ["(detto|dice|dicono|disse|chiese|chiede di|chiedono|scrisse|risposto|sostiene|raccontato) [che]"],
  limits: [
    "(prima|fino|finché|se|salvo|tranne|eccetto|quando|mentre|durante|oggi|domani|attualmente|qui|invece|ora come ora|adesso|temporaneamente|così)",
    "(per ora|per il momento|al momento|in questo momento|questanno|per questanno|questo mese|questa settimana|questo trimestre|a meno che|piuttosto|questestate)",
    "(su|via|per|tramite|al|sul|con) (linkedin|whatsapp|telefono|email|e mail|mail|facebook|cellulare|mio numero|questo canale|mio cellulare|sms|telegram|lavoro)",
    "(per|tra|fra) (un|una|due|tre|quattro|sei|qualche|alcuni|alcune|i prossimi|le prossime) (giorno|giorni|settimana|settimane|mese|mesi|anno|anni)",
    "(al riguardo|in merito|a riguardo|su questo|di questo|nel weekend|la sera|di notte|la domenica)"
  ],
  invitations: [
    "(mi|ci) (scriva|contatti|telefoni|chiami|mandi|ricontatti|scrivete|contattate) [pure|piuttosto|invece] (a|al|su|via|per|tramite|dopo|lunedì|martedì|mercoledì|giovedì|venerdì|più avanti|in|tra|fra)",
    "(scrivetemi|scrivimi|contattatemi|contattami|chiamatemi|chiamami|telefonatemi|ricontattatemi) [pure|piuttosto|invece] (a|al|su|via|per|tramite|dopo|lunedì|martedì|in|tra|fra)",
    "(a|ad|su|via|allindirizzo) @",
    "(può|puoi|potete) (contattarmi|scrivermi|chiamarmi)"
  ]
}
