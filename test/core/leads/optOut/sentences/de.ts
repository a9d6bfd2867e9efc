import type { Sentences } from "./Sentence.ts"

export const de: Sentences = {
  tuned: [
    ["real", "Bitte abmelden"],
    ["real", "Bitte nehmen Sie mich aus Ihrem Verteiler.", "list"],
    ["real", "Schreiben Sie mir bitte nicht mehr.", "negation at the end"],
    ["real", "Ich möchte nicht mehr kontaktiert werden.", "passive"],
    ["real", "Kein Interesse. Bitte sehen Sie von weiteren Nachrichten ab.", "separable verb"],
    ["real", "Hören Sie auf, mir zu schreiben!", "comma inside"],
    ["real", "Hiermit widerspreche ich der Verarbeitung meiner personenbezogenen Daten.", "legal"],
    ["real", "Löschen Sie bitte umgehend alle meine Daten.\n\nMit freundlichen Grüßen\nGrete Hermann", "signature"],
    ["real", "Danke, aber wir haben schon einen Anbieter. Bitte keine weiteren E-Mails.", "reason before"],
    ["real", "Ich habe Sie schon zweimal gebeten, mich nicht mehr anzuschreiben.", "reported, but of the sender"],
    ["real", "Könnten Sie mich bitte von der Liste streichen?", "a question that asks"],
    ["real", "Lass mich endlich in Ruhe", "angry"],
    ["innocent", "Kontaktieren Sie mich gern nächste Woche.", "the opposite"],
    ["innocent", "Bitte nehmen Sie mich nicht aus dem Verteiler, ich lese gern mit.", "negated"],
    ["innocent", "Zurzeit kein Interesse, vielleicht später.", "refusal only"],
    ["innocent", "Zögern Sie nicht, mich zu kontaktieren.", "negated verb"],
    ["innocent", "Unsere Kunden wollen nicht mehr angeschrieben werden, kennen Sie das?", "somebody else's"],
    ["innocent", "Am Dienstag schrieb ein Anbieter, er wolle seine Daten löschen. Seltsam.", "reported"],
    [
      "innocent",
      "Klingt gut, Donnerstag passt.\n\nAm 3.3.2025 um 09:12 schrieb Ada Martin:\n> Antworten Sie mit STOP, um sich abzumelden",
      "our own footer quoted"
    ],
    ["innocent", "Wie kann ich mich bei eurem Webinar anmelden und später wieder abmelden?", "question"],
    ["innocent", "Können wir den Stopp der Anlage verhindern?", "other sense"],
    ["innocent", "Ich habe Ihnen länger nicht mehr geschrieben, entschuldigen Sie.", "past"],
    ["uncertain", "Bitte vor Montag nicht kontaktieren.", "until"],
    ["uncertain", "Bitte schreiben Sie mir nicht auf LinkedIn, sondern an grete@navy.example.", "channel"],
    ["uncertain", "Falls das eine automatische Nachricht ist, nehmen Sie mich bitte aus der Liste.", "condition"],
    ["uncertain", "Kontaktieren Sie mich bitte nicht mehr in diesem Jahr.", "until"],
    ["real", "Sehr geehrte Frau Martin, wir bitten Sie, von weiteren Kontaktversuchen abzusehen.", "formal"],
    ["real", "Woher haben Sie meine Adresse? Bitte löschen und nicht mehr anschreiben!", "question first"],
    ["real", "ich hab kein bock auf eure mails, nehmt mich da raus", "colloquial"],
    [
      "innocent",
      "Nach der Messe hat sich leider niemand mehr gemeldet, ich würde mich über eine Nachricht freuen.",
      "the opposite"
    ],
    ["innocent", "Bitte löschen Sie den Termin am Montag und schicken Sie mir einen neuen.", "other object"],
    ["innocent", "Wir haben aufgehört, Kunden per Telefon zu kontaktieren.", "past"],
    ["uncertain", "Im Moment bitte keine weiteren Nachrichten, wir sind im Jahresabschluss.", "for now"],
    ["real", "Entfernen Sie mich aus Ihrer Datenbank und bestätigen Sie mir das schriftlich.", "two requests"],
    ["real", "Wir sind versorgt und möchten nicht weiter angeschrieben werden.", "reason before"],
    ["real", "Das ist jetzt die vierte Nachricht. Lassen Sie das bitte, ich möchte keinen Kontakt.", "two sentences"],
    ["real", "Bitte unterlassen Sie zukünftig jegliche Kontaktaufnahme.", "formal"],
    ["innocent", "Bitte hören Sie nicht auf, mir solche Beispiele zu schicken!", "negated"],
    ["innocent", "Unser Datenschutzbeauftragter will wissen, ob man sich bei Ihnen abmelden kann.", "question"],
    [
      "uncertain",
      "Wenn Sie kein Angebot für Krankenhäuser haben, schreiben Sie mir bitte nicht mehr.",
      "condition first"
    ]
  ],
  heldOut: [
    ["real", "Bitte kontaktieren Sie mich nicht weiter."],
    ["real", "Ich wünsche keine weitere Kontaktaufnahme.", "formal"],
    ["real", "Streichen Sie mich von Ihrer Liste."],
    ["real", "Unterlassen Sie es, mir weiter Werbung zu schicken.", "comma inside"],
    ["real", "Nein danke, und bitte nicht mehr melden.", "infinitive"],
    ["real", "Ich will von Ihnen nichts mehr hören."],
    ["innocent", "Löschen Sie bitte meine letzte Nachricht, die war für jemand anderen.", "other object"],
    ["innocent", "Melden Sie sich ruhig noch einmal im Herbst.", "the opposite"],
    ["innocent", "Ein Kollege sagte, er habe sich von Ihrem Newsletter abgemeldet.", "reported"],
    ["innocent", "Wir wollen nicht aufhören zu wachsen.", "other sense"],
    ["innocent", "Warum möchte jemand nicht mehr kontaktiert werden, wenn es so gut läuft?", "question"],
    ["uncertain", "Bitte rufen Sie mich nicht an, schreiben Sie lieber eine E-Mail.", "channel"],
    ["uncertain", "Bis Ende August bitte keine weiteren Nachrichten.", "until"]
  ]
}
