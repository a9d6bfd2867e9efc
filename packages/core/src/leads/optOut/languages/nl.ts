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

const contacting =
  "(*benader*|*contact*|*mail*|*schrij*|*stuur*|*sturen*|*zend*|*storen*|*stoor*|*vallen*|*bericht*|*spam*|*bestook*|*bestoken*|*app*|*opvolgen|*opnemen|*opneemt|*bel*)"

export const nl: OptOutLanguage = {
  script: "latin",
  alone: [
    "stop (daar|er|hier) [mee]",
    "stop (daarmee|ermee|hiermee)",
    "(hou|houd|houdt) (daar|er|daarmee|ermee) [mee] op",
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
    `(hou*|schei*) [er] [mee] (op|uit) (met|mee) [al] (die|dat|deze|dit|jullie|uw|het|de|mij|me|ons) [${mails.slice(1, -1)}|*mail*|*spam*|te|bericht*]`,
    `(stop*|hou* op|kap*|ophouden|stoppen) [nu] [er] (met|mee) (mij|me|ons) [te|steeds|nog] ${contacting}`,
    `(mij|me|ons) [niet|nooit|niets|geen] (niet|nooit|niets|niks|geen) [${mails.slice(1, -1)}] (meer|langer|verder) [te] ${contacting}`,
    `(niet|nooit|niets|niks) (meer|langer|verder) [te] ${contacting}`,
    "[niet|nooit] (niet|nooit) (meer|langer|verder) [te] (worden) (benaderd|gecontacteerd|gemaild)",
    `(haal*|verwijder*|schrap*|gooi*|schrijf*|streep*|wis*|neem*|vernietig*) [u] [alle|al] (mij|me|ons|mijn|onze|dit|deze) ~ (uit|van|af|eruit|eraf) [${list.slice(1, -1)}|${your.slice(1, -1)}]`,
    "(blijf) [weg|uit|van] [uit|van] (mijn|onze)",
    `(mij|me|ons) [alstublieft|alsjeblieft|aub] (uit|van) ${your} ~ (willen|kunnen|te) (halen|verwijderen|schrappen|uitschrijven)`,
    `(mij|me|ons) [alstublieft|alsjeblieft|aub] (uitschrijven|afmelden|uit te schrijven|af te melden)`,
    `(bespaar) (mij|me|ons|u|jullie) (uw|jullie|de|verdere|deze|die)`,
    `(vermijd|onthoud u van|zie af van|ziet u af van) [alstublieft] (verder|verdere|elk|elke|ieder|iedere)`,
    `(genoeg) (van) (deze|die|uw|jullie|al die) ${mails}`,
    `(blokkeer) (mij|me|mijn)`,
    `(neem|neemt|nemen) [u|alsjeblieft|alstublieft|a u b|aub|svp] (geen|nooit) [verder|verdere] contact (meer|op|met mij|met me|met ons)`,
    `(neem|neemt|nemen) [u|alsjeblieft|alstublieft|a u b|aub|svp] (nooit|niet) (meer|meer opnieuw|opnieuw) contact`,
    `${imperative} [u|alsjeblieft|alstublieft|aub|svp] (mij|me|ons) [alsjeblieft|alstublieft|aub|svp|dan ook|dus|in het vervolg|voortaan] (niet|nooit|niets|niks|geen) (meer|verder|langer|nog)`,
    `${imperative} (mij|me|ons) [alsjeblieft|alstublieft|aub|svp|dan ook|dus|in het vervolg|voortaan] (geen) [verdere|enkele|nieuwe] ${mails}`,
    `(mij|me|ons) [alsjeblieft|alstublieft|aub|svp|in het vervolg|voortaan] (niet|nooit|niets|niks) (meer|verder|langer) [per mail|via mail] ${infinitive}`,
    `(niet|nooit|niets|niks) (meer|verder|langer) ${infinitive}`,
    `(geen) (verdere|nieuwe) ${mails}`,
    `geen ${mails} meer`,
    `(stop|stopt|hou|houd|houdt) [alsjeblieft|alstublieft|aub|onmiddellijk|direct|nu] (met|op met) [mij|me|ons|het|al dat|dat|deze|die|al die|steeds|het sturen van|sturen van] [mij|me|ons] [te|steeds] (${infinitive.slice(1, -1)}|${mails.slice(1, -1)}|gespam|gemail|lastigvallen)`,
    `(staak|staakt|staken|beëindig|beëindigt|te staken) [u] [onmiddellijk|per direct] (alle|elk|elke|ieder|iedere|het|de|verder|verdere|alle verdere)`,
    `(meld|meldt) (mij|me|ons) [alsjeblieft|alstublieft|aub] af`,
    `(verwijder|verwijdert|wis|schrap|vernietig|verwijderen) [u] [alsjeblieft|alstublieft|aub|onmiddellijk|direct] [al|alle] (mijn|onze) [persoonlijke] ${data}`,
    `[al|alle] (mijn|onze) [persoonlijke] ${data} [uit uw systeem|uit uw bestand|onmiddellijk|per direct|uit uw database] (te verwijderen|verwijderen|te wissen|wissen|te schrappen|te vernietigen)`,
    "(laat|laten) (me|mij|ons) [alsjeblieft|alstublieft|aub|nu|gewoon|toch] (met rust|gerust)",
    "(vergeet) (me|mij)"
  ],
  statements: [
    "(u|jullie|je) (heeft|hebben|hebt) geen (toestemming|recht) (om|voor) (mijn|mij|me|ons|onze)",
    "(wil|willen|wens|wensen|zou) [ik|we|wij] [graag] (van|uit) ~ (*lijst*|*bestand*|database*) (af|verwijderd|weg|gehaald|geschrapt)",
    "(hoef|hoeven|wil|willen|wens|wensen) [ik|wij|we] (die|deze|dat|jullie|uw|al die) ~ (niet|nooit) [meer] (meer|te ontvangen|langer)",
    "(op prijs|fijn|prettig|dankbaar|leuk|graag|waarderen|appreciëren|beter|erkentelijk) (vinden|hebben|zijn|stellen|zien) (als|indien|dat) (u|jullie|je) ~ (niet|geen|nooit|ophoud*|stop*|uitschrij*|verwijder*|met rust|schrap*|haal*)",
    `(heb|hebben|geef|gaf) [ik|wij|we] [u|jullie] [nooit|geen|hier] (nooit|geen|geen enkele) (toestemming) [gegeven|voor|om]`,
    `(ik|we|wij) (ben|zijn|heb) (klaar met|genoeg van|het zat) [om] [uw|jullie|deze|die|al die|alle]`,
    `(ik|we|wij) (verbied|verbieden) (u|jullie|je)`,
    `(ik|we|wij) (wil|willen|wens|wensen|wil me|wil mij) [graag|me|mij|ons] [graag] [van deze lijst|van de lijst|van jullie lijst] (uitschrijven|afmelden|uitgeschreven|verwijderd|van de lijst|van uw lijst)`,
    `(heb|hebben) [ik|wij|we] [u|je|jullie] [al|reeds] [meermaals|meerdere keren|twee keer|eerder|vaker] (gevraagd|verzocht|gezegd|laten weten) [om] [mij|me|ons|dat] [geen|niet|uit|van|te|met rust|ik]`,
    `(verzoek|eis|vraag|verzoeken) [ik|wij] [u|je|jullie] [hierbij|om|dringend] [om] [verwijdering|verwijder|wissing] van [al] (mijn|onze)`,
    `(verzoek|eis|vraag|verzoeken) [ik|wij] (u|je|jullie) [hierbij|om|dringend] [om] [al|alle] (mijn|onze) [persoonlijke] ${data} ~ (te verwijderen|te wissen)`,
    "(maak|maken|teken|tekenen) [ik|wij] [hierbij] bezwaar (tegen|aan)",
    "(trek|trekken) [ik|wij] [hierbij] mijn toestemming"
  ],
  concepts: {
    stop: "(stop|stopt|stoppen|hou op|houd op|hou daar mee op|houd daar mee op|ophouden|op te houden|staak*|staken|te staken|beëindig*|ziet af|onthoud u|ongewenst|niet gewenst|kap|kappen)",
    remove:
      "(verwijder*|haal|haalt|halen|afhalen|af te halen|schrap*|uitschrijven|uit te schrijven|wis|wissen|te wissen|vernietig*|verwijdering)",
    contact:
      "(benader*|contact*|*mailen|mail|mailtjes|*schrijven|schrijf|*sturen|stuur|*zenden|storen|stoor|lastig*|berichten|spammen|spam|bestoken|appen|benaderd|gemaild|gecontacteerd|lastiggevallen)",
    me: "(mij|me|ons|ons bedrijf|mijn adres|mijn naam|mijn inbox|dit adres)",
    mine: "(mijn|onze) [persoonlijke] (gegevens|contactgegevens|adres|mailadres|e mailadres|emailadres|naam|nummer|telefoonnummer|profiel|persoonsgegevens|bedrijf|data)",
    list: "(*lijst*|*bestand*|*list|database*|databank*|systeem|systemen|crm|campagne|nieuwsbrief*|mailing*|adressen*|administratie|distributie*)",
    mails:
      "(berichten|mails|mail|mailtjes|e mails|emails|reclame|spam|nieuwsbriev*|nieuwsbrief|aanbiedingen|contactverzoeken|acquisitie|informatie|contact|post|verzoeken|berichtjes)",
    more: "(meer|verder*|langer|nog|nooit|geen|deze|die|dat|uw|jullie|alle|al|elk*|iedere|opnieuw|steeds|blijven)",
    want: "(wil|willen|wens|wensen|hoef|hoeven|behoefte|interesse|prijs|graag|toestemming|zou|nodig|zit)",
    receive: "(ontvangen|krijgen|horen|benaderd|gemaild|gecontacteerd|lastiggevallen|weten|lezen|zien|reclame|worden)",
    reversal:
      "(vergeet|vergeten|missen|aarzel*|zorgen|stoort|gerust|bijlage|helaas|verkeerde|vooral niet|probleem|gehoord|verliezen|prijslijst|ophalen|op de hoogte|never|dont|not|you|the|to|i)"
  },
  doubts: [
    "(derde|vierde|vijfde|zesde|tiende|zoveelste) (keer|mail|bericht|e mail)",
    "(als) (spam) (melden|gemeld|markeren|rapporteren)",
    "(dit is) (spam|stalking)",
    "(rot op|donder op|sodemieter op|flikker op|opgerot)",
    "(bel|belt) (mij|me|ons) (niet|nooit)",
    `${imperative} (mij|me|ons) [alsjeblieft|alstublieft|aub|svp] ~ (niet|geen|nooit|niets|niks)`,
    `(neem|neemt) ~ (geen|niet|nooit) contact`,
    "niet (benaderen|contacteren|storen|mailen)"
  ],
  leadIns: [
    "(jongens|allez|zeg|kom|man|luister)",
    "gelieve",
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
  fillers: [
    "(hier|daar) heb ik [nooit|niet] [om] gevraagd",
    "ik heb (hier|daar) [nooit|niet] om gevraagd",
    "hier heb ik nooit om gevraagd",
    "anders",
    "(ik wil|wil) [u|je|jullie] niet (storen|lastigvallen)",
    "nu eens",
    "(niet|noch) per (mail|telefoon|post)",
    "op (geen enkele|welke) manier [dan ook]",
    "(onmiddellijk|direct|voortaan|gewoon|toch|eens|even|ff|effe|nou|asjeblieft|vriendelijk|beleefd|nogmaals|definitief|echt|meteen|dringend|uitdrukkelijk)",
    "per direct",
    "in (de toekomst|het vervolg)",
    "vanaf (nu|vandaag|heden)",
    "voor eens en altijd",
    "zo snel mogelijk",
    "met onmiddellijke ingang"
  ],
  denials: ["(niet|nooit|geen|niets|niks)"],
  joins: ["(en|maar|dus|want|of|omdat)"],
  negations: ["(niet|nooit|geen|zonder) [meer|te|hoeven]", "(hoeft|hoeven|moet) [u|je|jullie|mij|me] niet"],
  others: [
    "(ontvangers|abonnees|wie|hoe|waarom|wanneer|iemand|niemand|mensen|hij|zij|ze|klanten|gebruikers|kandidaten|sommigen|velen|anderen|vrouw|man)",
    "(wij|we|ik) (helpen|help|laten)",
    "(mijn|een|onze) (collega|baas|vriend|vriendin|vrouw|man|klant|chef)"
  ],
  reports: ["(zei|zegt|zeiden|zeggen|vroeg|vroegen|schreef een|schrijft|vertelde|antwoordde|beweert)"],
  limits: [
    "(per ongeluk|per vergissing|abusievelijk)",
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
