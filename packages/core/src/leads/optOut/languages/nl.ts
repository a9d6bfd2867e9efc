/** How opt-outs are worded in Dutch. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const imperative =
  "(benader|benadert|contacteer|contacteert|mail|mailt|e mail|schrijf|schrijft|stuur|stuurt|bericht|stoor|stoort|spam|spamt|appt|app|zend|zendt|bestook|attendeer)"
const infinitive =
  "(benaderen|te benaderen|contacteren|te contacteren|mailen|te mailen|schrijven|te schrijven|aanschrijven|aan te schrijven|sturen|te sturen|toesturen|toe te sturen|storen|te storen|lastigvallen|lastig te vallen|lastig vallen|berichten|spammen|te spammen|contact opnemen|contact op te nemen|opnemen|e mailen|te e mailen|bestoken|benaderd worden|doen)"
const mails =
  "(berichten|bericht|mails|mail|e mails|e mail|emails|contact|reclame|spam|nieuwsbrieven|nieuwsbrief|aanbiedingen|post|contactverzoeken|informatie|contactpogingen|acquisitie)"
const list =
  "(lijst|lijsten|mailinglijst|mailinglist|mailing|verzendlijst|bestand|bestanden|database|databank|systeem|adressenbestand|adressenlijst|contacten|crm|campagne)"
const your = "(uw|jullie|je|jouw|de|het|deze|dit|alle|elke|die)"
const data =
  "(gegevens|contactgegevens|adres|mailadres|e mailadres|emailadres|e mail|email|mail|naam|nummer|profiel|info|persoonsgegevens)"

export const nl: OptOutLanguage = {
  script: "latin",
  alone: [
    "uitschrijven",
    "afmelden",
    "schrijf mij uit",
    "schrijf me uit",
    "uitschrijving",
    "meld me af",
    "meld mij af"
  ],
  aloneInMessage: ["stop", "stoppen", "genoeg", "ophouden", "verwijderen", "hou op", "stop ermee", "stop hiermee"],
  commands: [
    `(ophouden|stoppen|op te houden|te stoppen) [met] [mij|me|ons] [nog|steeds|berichten|mails|e mails|verder] [te] [sturen|mailen|berichten|benaderen|schrijven|lastigvallen] (te sturen|te mailen|te benaderen|te schrijven|lastig te vallen|sturen|mailen|benaderen|schrijven|te spammen|berichten)`,

    `(mij|me|ons) [alstublieft|alsjeblieft|aub] (uit|van) ${your} ~ (willen|kunnen|te) (halen|verwijderen|schrappen|uitschrijven)`,
    `(mij|me|ons) [alstublieft|alsjeblieft|aub] (uitschrijven|afmelden|uit te schrijven|af te melden)`,
    `(stop|stopt) [alstublieft|alsjeblieft|aub|nu] [met] (deze|die|al die|jullie|uw|alle) ${mails}`,
    `(gooi|haal|schrijf|neem) (mij|me|ons) [er|daar|hier] (uit|af|eruit|eraf)`,
    `(bespaar) (mij|me|ons|u|jullie) (uw|jullie|de|verdere|deze|die)`,
    `(vermijd|onthoud u van|zie af van|ziet u af van) [alstublieft] (verder|verdere|elk|elke|ieder|iedere)`,
    `(genoeg) (van) (deze|die|uw|jullie|al die) ${mails}`,
    `(blokkeer) (mij|me|mijn)`,

    `(neem|neemt|nemen) [u|alsjeblieft|alstublieft|a u b|aub|svp] (geen|nooit) [verder|verdere] contact (meer|op|met mij|met me|met ons)`,
    `(neem|neemt|nemen) [u|alsjeblieft|alstublieft|a u b|aub|svp] (nooit|niet) (meer|meer opnieuw|opnieuw) contact`,
    `(geen) (contact|verder contact) meer`,
    `${imperative} [u|alsjeblieft|alstublieft|aub|svp] (mij|me|ons) [alsjeblieft|alstublieft|aub|svp|dan ook|dus|in het vervolg|voortaan] (niet|nooit|niets|niks|geen) (meer|verder|langer|nog)`,
    `${imperative} (mij|me|ons) [alsjeblieft|alstublieft|aub|svp|dan ook|dus|in het vervolg|voortaan] (geen) [verdere|enkele|nieuwe] ${mails}`,
    `(mij|me|ons) [alsjeblieft|alstublieft|aub|svp|in het vervolg|voortaan] (niet|nooit|niets|niks) (meer|verder|langer) [per mail|via mail] ${infinitive}`,
    `(niet|nooit|niets|niks) (meer|verder|langer) ${infinitive}`,
    `(geen) (verdere|nieuwe) ${mails}`,
    `geen ${mails} meer`,
    `(stop|stopt|hou|houd|houdt) [alsjeblieft|alstublieft|aub|onmiddellijk|direct|nu] (met|op met) [mij|me|ons|het|al dat|dat|deze|die|al die|steeds|het sturen van|sturen van] [mij|me|ons] [te|steeds] (${infinitive.slice(1, -1)}|${mails.slice(1, -1)}|gespam|gemail|lastigvallen)`,
    `(staak|staakt|staken|beëindig|beëindigt|te staken) [u] [onmiddellijk|per direct] (alle|elk|elke|ieder|iedere|het|de|verder|verdere|alle verdere)`,
    `(elk|ieder|alle|elke|verder) [verder|verdere] ${mails} (te staken|staken|te stoppen|stoppen|te beëindigen)`,
    `(haal|haalt|halen|verwijder|verwijdert|verwijderen|schrap|schrapt|gooi|schrijf|schrijft|streep) [u] (mij|me|ons) [alsjeblieft|alstublieft|aub|svp|dan|onmiddellijk|direct|per direct|dus] (uit|van|af|vanaf)`,
    `(mij|me|ons) [alsjeblieft|alstublieft|aub] (uit|van) ${your} [${list.slice(1, -1)}] (halen|te halen|verwijderen|te verwijderen|schrappen|te schrappen|af te halen|afhalen|uit te schrijven)`,
    `(meld|meldt) (mij|me|ons) [alsjeblieft|alstublieft|aub] af`,
    `(verwijder|verwijdert|wis|schrap|vernietig|verwijderen) [u] [alsjeblieft|alstublieft|aub|onmiddellijk|direct] [al|alle] (mijn|onze) [persoonlijke] ${data}`,
    `[al|alle] (mijn|onze) [persoonlijke] ${data} [uit uw systeem|uit uw bestand|onmiddellijk|per direct|uit uw database] (te verwijderen|verwijderen|te wissen|wissen|te schrappen|te vernietigen)`,
    "(laat|laten) (me|mij|ons) [alsjeblieft|alstublieft|aub|nu|gewoon|toch] (met rust|gerust)",
    `(val|valt) (me|mij|ons) [alsjeblieft|alstublieft|aub] niet (meer|langer|verder) lastig`,
    "(vergeet) (me|mij)"
  ],
  statements: [
    `(heb|hebben|geef|gaf) [ik|wij|we] [u|jullie] [nooit|geen|hier] (nooit|geen|geen enkele) (toestemming) [gegeven|voor|om]`,
    `(ik|we|wij) (zou|heb) [het] [liever|graag] (liever|graag) (niet|geen|dat u|dat jullie) [meer] [${mails.slice(1, -1)}|benaderd|gemaild|mij|me]`,
    `(ik|we|wij) (ben|zijn|heb) (klaar met|genoeg van|het zat) [om] [uw|jullie|deze|die|al die|alle]`,
    `(ik|we|wij) (verbied|verbieden) (u|jullie|je)`,

    `(ik|we|wij|wil|willen|wens|wensen) [wil|willen|wens|wensen|zou|ik|hoef|hoeven] [graag|liever|echt] [van u|van jullie|van je] (geen|niets|niks|nooit|niet) [verdere|enkele] [${mails.slice(1, -1)}] (meer|verder|nog|langer) [van u|van jullie|van je] [door u|door jullie] [te|iets] (ontvangen|horen|krijgen|benaderd|gecontacteerd|gemaild|lastiggevallen|weten|worden)`,
    `(ik|we|wij) (wil|willen|wens|wensen) (geen|niet) [verdere|langer] (${mails.slice(1, -1)}|benaderd|gecontacteerd|lastiggevallen) [te] [meer] [ontvangen|worden|te worden|meer]`,
    `(ik|we|wij) (wil|willen|wens|wensen|wil me|wil mij) [graag|me|mij|ons] [graag] [van deze lijst|van de lijst|van jullie lijst] (uitschrijven|afmelden|uitgeschreven|verwijderd|van de lijst|van uw lijst)`,
    `(heb|hebben) [ik|wij|we] [u|je|jullie] [al|reeds] [meermaals|meerdere keren|twee keer|eerder|vaker] (gevraagd|verzocht|gezegd|laten weten) [om] [mij|me|ons|dat] [geen|niet|uit|van|te|met rust|ik]`,
    `(verzoek|eis|vraag|verzoeken) [ik|wij] [u|je|jullie] [hierbij|om|dringend] [om] [verwijdering|verwijder|wissing] van [al] (mijn|onze)`,
    `(verzoek|eis|vraag|verzoeken) [ik|wij] (u|je|jullie) [hierbij|om|dringend] [om] [al|alle] (mijn|onze) [persoonlijke] ${data} ~ (te verwijderen|te wissen)`,
    "(maak|maken|teken|tekenen) [ik|wij] [hierbij] bezwaar (tegen|aan)",
    "(trek|trekken) [ik|wij] [hierbij] mijn toestemming",
    "stel [het] [niet] op prijs (om|dat) [nog] (benaderd|gemaild|berichten)"
  ],
  doubts: [
    "(als) (spam) (melden|gemeld|markeren|rapporteren)",
    "(dit is) (spam|stalking)",
    "(rot op|donder op|sodemieter op|flikker op|opgerot)",
    "(bel|belt) (mij|me|ons) (niet|nooit)",
    `${imperative} (mij|me|ons) [alsjeblieft|alstublieft|aub|svp] ~ (niet|geen|nooit|niets|niks)`,
    `(neem|neemt) ~ (geen|niet|nooit) contact`,
    "niet (benaderen|contacteren|storen|mailen)"
  ],
  leadIns: [
    "hoi",
    "hallo",
    "beste",
    "nee",
    "nee bedankt",
    "nee dank u",
    "bedankt",
    "dank u",
    "dank je",
    "en",
    "maar",
    "dus",
    "daarom",
    "dan",
    "voortaan",
    "in de toekomst",
    "in het vervolg",
    "vanaf nu",
    "voor de laatste keer",
    "nogmaals",
    "nu",
    "ook",
    "onmiddellijk",
    "per direct",
    "geen interesse",
    "ik heb geen interesse",
    "(kunt|kun|kan|kunnen|zou|zoudt|wilt|wil) (u|je|jullie) [alstublieft|alsjeblieft|aub]",
    "zou u (willen|kunnen)",
    "(ik|wij|we) (verzoek|vraag|verzoeken|vragen|eis|sommeer|wil|wens) [u|je|jullie] [vriendelijk|dringend|dan ook|nogmaals|hierbij|beleefd|vragen] [om]",
    "(verzoeke|gelieve|wees zo vriendelijk|wees zo goed)",
    "(ik|wij|we) (heb|hebben) (u|je|jullie) [al|reeds] [eerder|vaker|meermaals|twee keer] (gevraagd|verzocht) [om]",
    "u (moet|dient)",
    "met het verzoek",
    "om",
    "zoals gezegd",
    "gewoon"
  ],
  pleases: ["alstublieft", "alsjeblieft", "aub", "a u b", "svp", "graag", "gelieve", "liever", "en graag", "s v p"],
  joins: ["(en|maar|dus|want|of|omdat)"],
  negations: ["(niet|nooit|geen|zonder) [meer|te|hoeven]", "(hoeft|hoeven|moet) [u|je|jullie|mij|me] niet"],
  others: [
    "(wie|hoe|waarom|wanneer|iemand|niemand|mensen|hij|zij|ze|klanten|gebruikers|kandidaten|sommigen|velen|anderen|vrouw|man)",
    "(wij|we|ik) (helpen|help|laten)",
    "(mijn|een|onze) (collega|baas|vriend|vriendin|vrouw|man|klant|chef)"
  ],
  reports: ["(zei|zegt|zeiden|zeggen|vroeg|vroegen|schreef een|schrijft|vertelde|antwoordde|beweert)"],
  limits: [
    "(voor|tot|als|indien|tenzij|behalve|wanneer|zolang|terwijl|tijdens|vandaag|morgen|momenteel|voorlopig|hier|liever|alleen|eerst|nu|overdag)",
    "(op dit moment|op het moment|dit jaar|deze maand|deze week|dit kwartaal|deze zomer|in plaats daarvan|in plaats van|voor nu|zo vaak|zo vroeg)",
    "(op|via|per|over) (linkedin|whatsapp|telefoon|mail|e mail|facebook|mijn mobiel|mijn nummer|dit kanaal|telegram|sms|zondag|vakantie)",
    "(voor|in) (een|twee|drie|vier|zes|enkele|de komende|een paar) (dag|dagen|week|weken|maand|maanden|jaar)",
    "(hierover|daarover|over dit|over deze|in het weekend)"
  ],
  invitations: [
    "(mail|schrijf|bel|stuur|bericht|benader|bereik) [mij|me|ons|het|een mail] [gerust|liever|dan|maar|een bericht] (op|naar|via|in|na|over|volgende|later|maandag|dinsdag|woensdag|donderdag|vrijdag)",
    "(naar|op|via|aan) @",
    "(u|je|jullie) (kunt|kan|kunnen) [mij|me] [altijd] (contact|bellen|mailen|bereiken)"
  ]
}
