/** How opt-outs are worded in Italian. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const pre =
  "(contatti|contattate|contatta|contattino|scriva|scrivete|scrivi|scrivano|ricontatti|ricontattate|ricontattare|mandi|mandate|manda|invii|inviate|invia|disturbi|disturbate|disturba|importuni|importunate|cerchi|cercate|infastidite|tempesti|mandino|inviino|contattare|scrivere|mandare|inviare|disturbare|spammate)"
const post =
  "(contattarmi|contattarci|contattatemi|contattateci|scrivermi|scriverci|scrivetemi|scriveteci|mandarmi|mandatemi|inviarmi|inviatemi|disturbarmi|disturbatemi|ricontattarmi|ricontattatemi|importunarmi|importunatemi|cercarmi|cercatemi|infastidirmi|spammarmi|mandarci|inviarci|disturbarci|ricontattarci|insistere|insista|insistete)"
const mails =
  "(email|e mail|mail|messaggi|messaggio|comunicazioni|comunicazione|contatti|contatto|pubblicità|spam|newsletter|proposte|sollecitazioni|notizie|offerte|posta|informazioni)"
const data =
  "(dati|indirizzo|contatto|contatti|email|e mail|mail|nome|numero|nominativo|recapito|recapiti|profilo|dati personali)"

const forms =
  "(contatti*|contattate*|contattar*|contatta|contattasse*|ricontatti*|ricontattate*|ricontattar*|scriva*|scrivete*|scriver*|scrivi*|scrivesse*|mandi*|mandate*|mandar*|manda|invii*|inviate*|inviar*|invia|disturbi*|disturbate*|disturbar*|importuni*|importunate*|importunar*|cerchi*|cercate*|cercar*|infastidi*|tempesti*|tempestate*|spamm*|molesti*|molestate*|molestar*|tartassi*|tartassate*|bombardi*|bombardate*|insista*|insistete|insistere|stressi*|stressate*)"
const erase =
  "(rimuov*mi|togli*mi|cancell*mi|elimin*mi|lev*mi|disiscriv*mi|depenn*mi|esclud*mi|rimuov*ci|togli*ci|cancell*ci|elimin*ci)"

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
    "non insist* $",
    "(mettete*|inserite*|inserisca*) ~ (blacklist|black list|lista nera|registro delle opposizioni)",
    `(non|nn) (mi|ci|vi) ${forms} (più|piu|oltre|ulterior*|altr*|nulla|niente|mai)`,
    `(non|nn) ${forms} (più|piu|oltre|ulterior*|altr*|mai)`,
    `[di] non (ricev*|esser*|venir*) [più] [ricontatt*|contatt*|disturb*|altr*|ulterior*|vostr*] [${mails.slice(1, -1)}|più|contatt*|disturb*]`,
    `(evit*|smett*|cess*|finit*|finis*|piant*|sment*|asten*|asteng*|ferm*|basta|desist*) [la|vi|si] (di|dal|dall*|con|da) [volermi|continuare a] (${forms.slice(1, -1)}|linvio|ogni|qualsiasi|quest*|ulterior*)`,
    `(evit*|smett*|cess*|interromp*|sospend*) [con] (ogni|qualsias*|qualunque|ulterior*|tutt*|linvio|i|le|quest*) [tipo di|forma di|ulterior*|le|i|di] ${mails}`,
    `${erase} (da*|$)`,
    `non ${post} (ulteriormente|in futuro|nuovamente|per nessun motivo|ulteriori|ulteriore|alcun|alcuna|nessun|nessuna|nulla|niente)`,
    `non (mi|ci) ${pre} (ulteriormente|in futuro|ulteriori|ulteriore|alcun|alcuna|nessun|nessuna|nulla|niente)`,
    `(di) (rimuovere|cancellare|eliminare|togliere) (me|il mio|la mia|i miei|immediatamente)`,
    `(dimenticatevi|si dimentichi|dimenticati) di (me|noi)`,
    `(mi|ci) (togliesse|togliessi|toglieste|rimuovesse|cancellasse|eliminasse|rimuoveste|cancellaste) (dalla|dal|dalle|dai|dall|da)`,
    `(basta|stop) (email|mail|messaggi|messaggio|spam|comunicazioni|pubblicità|con queste|con questi|con le|con i|con la|a queste|alle)`,
    `non (mi|ci) ${pre} [per favore|mai|assolutamente] (più|altro|altri|altre|nuovamente|ancora|mai più|oltre)`,
    `non (mi|ci) (ricontatti|ricontattate|ricontattare|disturbate|disturbi|cerchi|cercate|importunate)`,
    `non (ricontattarmi|ricontattatemi|disturbatemi|disturbarmi|importunatemi|cercatemi|cercarmi)`,
    `non (mi|ci) (dovete|deve|devi) [più] (contattare|scrivere|disturbare)`,
    `(evitate|eviti|evitare|eviti di) ${post}`,
    `(cessare|cessate|cessi|interrompere|interrompete|interrompa|sospendere|sospendete|fermate|smettere) [immediatamente|subito] (ogni|qualsiasi|tutte|tutti|i|le|gli|linvio|questi|queste|ogni tipo di|ogni forma di) [tipo di|invio di|le|i|linvio di] ${mails}`,
    `(mi|ci) (rimuova|tolga|cancelli|elimini|rimuoviate|togliate|cancelliate|disiscriva|depenni|escluda|rimuovete|togliete|cancellate) (dalla|dal|dalle|dai|dall|da|dallelenco)`,
    `(cancelli|cancellate|cancella|elimini|eliminate|elimina|rimuova|rimuovete|rimuovi|tolga|togliete|togli|distruggete|depennate) [subito|immediatamente] [tutti|per favore] [i|il|la|questo|anche il] (miei|mio|mia|nostri|nostro) ${data}`,
    `(cancellare|eliminare|rimuovere|togliere) [subito|immediatamente] [tutti] [i|il|la] (miei|mio|mia|nostri|nostro) ${data}`,
    "(lasciatemi|lasciami|mi lasci|lasciateci|ci lasci) (in pace|stare|perdere|tranquillo|tranquilla)",
    `(niente|basta) [con] [più|altre|altri|altra|altro|queste|questi|le|i] ${mails}`,
    `(nessuna|nessun) (altra|altro|ulteriore) ${mails}`
  ],
  statements: [
    "non (avete|ha|hai) [il|alcun|nessun|mia] (permesso|autorizzazione|consenso|diritto) (di|a|per) (usar*|utilizzar*|contattar*|scriver*|trattar*)",
    "(sarei|saremmo|sarebbe) [grat*|riconoscent*|gradito|opportuno|meglio] [se|che] [la|lei|voi] (evit*|smett*|cess*|non|mi togl*|mi cancell*|mi rimuov*|mi elimin*)",
    "(chiedo|chiediamo|prego|vorrei|voglio|desidero|preferi*|gradirei) [di] non [più] (ricev*|esser*|venir*)",
    `(non) [ho|abbiamo] [mai] (autorizzato|dato|acconsentito|prestato|autorizzo) [mai] [il|nessun|alcun|luso|a] ~ (consenso|autorizzazione|email|dati|contatto|essere|indirizzo|comunicazioni|ricevere)`,
    `(preferirei|preferisco|gradirei|vorrei|apprezzerei) [che] (non|mi|se) [ricevere|essere|più|venire|mi|smettesse|smetteste] [più|contattato|contattata|scrivesse|contattasse|scriveste|rimuoveste|togliesse|ricevere] (più|messaggi|email|comunicazioni|contattato|contattata|dalla|di scrivermi|contattasse|scriveste|ricevere|altre)`,
    `(vi|le|ti) (vieto|proibisco|diffido) [formalmente] (di|dal)`,
    `(sono|siamo) (stufo|stufa|stanco|stanca|stufi) (di|delle|dei) (ricevere|queste|questi|vostre|vostri|tutte)`,
    `non (voglio|desidero|vorrei|vogliamo|desideriamo|intendo|gradisco|autorizzo|acconsento|sono disposto|mi va) [più|a] [essere|ricevere|avere|di] ~ (ricevere|contattato|contattata|contattati|disturbato|disturbata|notizie|${mails.slice(1, -1)}|sentirvi|sentire)`,
    `non (voglio|vogliamo|desidero) [più] (saperne|avere a che fare|sapere) [più] (niente|nulla|di voi|con voi)`,
    `non (voglio|vogliamo|desidero) (più) (sentirvi|sentirla|sentirti|essere|ricevere|avere)`,
    `(voglio|vorrei|desidero|vogliamo|chiedo di|chiedo) [essere|di essere] (disiscrivermi|cancellarmi|rimosso|rimossa|cancellato|cancellata|eliminato|eliminata|tolto|tolta|disiscritto)`,
    `(ho|abbiamo) [già|più volte] (chiesto|detto|pregato|scritto) [più volte|due volte|di|già] [di] (non|smettere|smetterla|cancellarmi|rimuovermi|togliermi|essere)`,
    `(chiedo|richiedo|esigo|chiediamo|pretendo) [formalmente|limmediata|la|che siano] [immediata] (cancellazione|rimozione|eliminazione|cancellati|eliminati) [immediata] [di] (dei|di|del|tutti|i) [miei|tutti|mio|tutti i]`,
    "(mi oppongo|ci opponiamo) (al*|a|ai|agli)",
    "(revoco|ritiro|revochiamo) [espressamente] [il] mio consenso",
    "esercito [il] [mio] diritto (di|alla|allopposizione|alloblio)"
  ],
  concepts: {
    stop: "(smett*|cessat*|cessar*|cessi|cessino|evit*|interromp*|sospend*|finit*|piant*|asten*|asteng*|fermat*|desist*|diffid*|cessazione)",
    remove:
      "(rimuov*|togli*|toglie*|tolgano|tolga|cancell*|elimin*|lev*|disiscri*|depenn*|esclud*|rimozione|cancellazione|eliminazione|tolto|tolta|rimosso|rimossa|distrugg*)",
    contact:
      "(contattar*|contattiate|contatti|contattate|scriver*|scrivi|scrivete*|scriva|scriviate|mandar*|mandate*|mandi|mandiate|inviar*|inviate*|invii|dallinvi*|linvio|disturbar*|disturbi*|disturbate|importun*|cercar*|cercate|infastid*|spammar*|molest*|tartass*|bombard*|insistere|insistete|ricontattar*|dal contattar*|ricontatti|ricontattate)",
    me: "(mi|ci|*armi|*ermi|*irmi|*arci|*erci|*atemi|*etemi|toglimi|cancellami|rimuovimi|eliminami|me|noi|nostra azienda|questo indirizzo|mia casella)",
    mine: "(miei|mio|mia|nostri|nostro|mie) (dati|indirizzo|nome|numero|nominativo|recapito|recapiti|profilo|dati personali|email|contatto)",
    list: "(list*|elenc*|*elenco|archiv*|database|mailing|newsletter|sistem*|crm|rubric*|banca dati|banche dati|distribuzione|indirizzario|contatti|campagn*|registri)",
    mails:
      "(mail|email|e mail|messaggi|comunicazioni|pubblicità|spam|newsletter|proposte|sollecitazioni|offerte|promozioni|messaggio|sollecit*|contatti|contatto|posta)",
    more: "(più|piu|altr*|ulterior*|nessun*|mai|quest*|vostr*|oltre|nulla|niente|nuovamente|ogni|qualsias*|tutt*|voi|sue|suoi)",
    want: "(voglio|vogliamo|desider*|vorrei|intend*|intenzione|gradi*|autorizz*|acconsent*|interess*|preferi*|chied*|pregher*|prego|preghiamo|bisogno)",
    receive: "(ricev*|riceve*|contattat*|disturbat*|sentir*|sapere|leggere|importunat*|avere|sollecitat*)",
    reversal:
      "(dimentic*|perder*|esit*|preoccup*|problem*|nessun disturbo|pure|anzi|non smett*|non cess*|sbagliat*|ultimo messaggio|come mai|ancora disponib*|affatto|prezz*|listino|disturba)"
  },
  doubts: [
    "(terza|quarta|quinta|sesta|ennesima|decima) (volta|mail|email)",
    "(terzo|quarto|quinto|sesto|ennesimo) (messaggio|sollecito)",
    "(segnalare|segnalo|segnalerò|segnalato) ~ (spam|molestia|molestie)",
    "questo è (spam|stalking)",
    "(vaffanculo|andate al diavolo|vada al diavolo|andatevene|sparite)",
    "non (mi|ci) (telefoni|telefonate|chiami|chiamate|telefonare|chiamare)",
    `non (mi|ci) ${pre}`,
    `non ${post}`,
    "non contattare"
  ],
  leadIns: [
    "(sarebbe|sareste|saresti) così (gentil*|cortes*) da",
    "(ragazzi|senta|sentite|senti|ascolti)",
    "(vi|le|la|ti) (pregherei|pregheremmo|chiederei|chiederemmo|inviterei)",
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
  fillers: [
    "non (voglio|vorrei) (disturbar*|importunar*|essere insistente)",
    "né (via|per|tramite|per via) (mail|email|e mail|telefono|posta|telefonica|whatsapp|linkedin)",
    "in (alcun|nessun) modo",
    "(subito|immediatamente|definitivamente|cortesemente|gentilmente|formalmente|espressamente|assolutamente|davvero|urgentemente)",
    "da (ora|adesso|oggi) in (poi|avanti)",
    "dora in (poi|avanti)",
    "in futuro",
    "per (il|lavvenire|il futuro|sempre)",
    "una volta per tutte",
    "al più presto",
    "quanto prima"
  ],
  denials: ["non", "mai"],
  joins: ["(e|ed|ma|quindi|perché|o|oppure|pertanto|perciò)"],
  negations: ["(non|mai|senza|né) [mi|voglio|serve|bisogna|è necessario|vogliamo|c è bisogno di]"],
  others: [
    "(destinatari|iscritti|chi|come|perché|quando|qualcuno|nessuno|gente|lui|lei|loro|egli|clienti|utenti|candidati|persone|alcuni|molti|altri|uno|moglie|marito)",
    "(aiutiamo|permettiamo|lasciamo|offriamo|aiuto)",
    "(un|il mio|la mia|una|i nostri|il nostro) (collega|capo|amico|amica|socio|moglie|marito|cliente)"
  ],
  reports: ["(detto|dice|dicono|disse|chiese|chiede di|chiedono|scrisse|risposto|sostiene|raccontato) [che]"],
  limits: [
    "(errore|sbaglio)",
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
