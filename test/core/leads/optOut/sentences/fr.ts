import type { Sentences } from "./Sentence.ts"

export const fr: Sentences = {
  tuned: [
    ["real", "Désabonner"],
    ["real", "Merci de ne plus me contacter.", "infinitive"],
    ["real", "Ne m'écrivez plus, s'il vous plaît.", "elision"],
    ["real", "Veuillez me retirer de votre liste de diffusion.", "list"],
    ["real", "Je ne souhaite plus recevoir vos messages.", "statement"],
    ["real", "Arrêtez de m'envoyer des mails !", "angry"],
    ["real", "Bonjour Ada, cela ne m'intéresse pas, merci de supprimer mes coordonnées.", "refusal first"],
    ["real", "Conformément au RGPD, je vous demande d'effacer toutes mes données personnelles.", "legal"],
    ["real", "Pourriez-vous m'enlever de votre fichier ?", "a question that asks"],
    ["real", "Je vous ai déjà demandé de ne plus m'écrire.", "reported, but of the sender"],
    ["real", "Laissez-moi tranquille.\n\nCordialement,\nÉmilie du Châtelet", "signature"],
    ["real", "Nous avons déjà un prestataire, inutile de me relancer.", "idiom"],
    ["innocent", "N'hésitez pas à me contacter.", "negated verb"],
    ["innocent", "Ne me retirez pas de votre liste, elle m'est utile.", "negated"],
    ["innocent", "Pas intéressé pour le moment, merci.", "refusal only"],
    ["innocent", "Nos clients ne veulent plus être contactés par téléphone, que proposez-vous ?", "somebody else's"],
    ["innocent", "Arrêtez-vous à notre stand la semaine prochaine.", "other sense"],
    ["innocent", "Comment gérez-vous ceux qui demandent « retirez-moi de votre liste » ?", "question, quote"],
    [
      "innocent",
      "D'accord pour jeudi.\n\nLe 3 mars 2025 à 09:12, Ada Martin a écrit :\n> Répondez STOP pour ne plus recevoir nos messages",
      "our own footer quoted"
    ],
    ["innocent", "Je n'ai plus été contacté depuis votre dernier message, où en sommes-nous ?", "past"],
    ["innocent", "Mon associé s'est désabonné de la newsletter d'un concurrent.", "reported"],
    ["innocent", "Je voudrais arrêter de perdre du temps avec mes notes de frais.", "other object"],
    ["uncertain", "Merci de ne pas me contacter avant lundi.", "until"],
    ["uncertain", "Ne m'écrivez plus sur LinkedIn, écrivez-moi à emilie@navy.example.", "channel"],
    ["uncertain", "Si c'est un message automatique, retirez-moi de votre liste.", "condition"],
    ["uncertain", "Ne me contactez plus d'ici la fin de l'année.", "until"],
    [
      "real",
      "Je n'ai jamais donné mon accord pour recevoir vos mails, merci de me supprimer de vos listes.",
      "reason before"
    ],
    ["real", "Vous m'avez déjà écrit trois fois. C'est non. N'insistez pas.", "idiom"],
    ["real", "plus de mails svp", "colloquial"],
    ["innocent", "Merci de ne pas m'oublier pour la démo de jeudi.", "negated verb"],
    ["innocent", "Vous pouvez retirer la diapositive 3 de votre présentation ?", "other object"],
    ["innocent", "Je ne reçois plus vos messages depuis lundi, il y a un problème ?", "past"],
    ["uncertain", "Si vous n'avez rien de concret à proposer, ne me recontactez pas.", "condition first"],
    ["real", "Je vous prie de bien vouloir cesser tout envoi à mon adresse.", "formal"],
    ["real", "Pouvez-vous supprimer mon adresse de vos fichiers ? Je ne suis plus en poste.", "a question that asks"],
    ["real", "Pour la dernière fois, arrêtez de m'écrire.", "angry"],
    ["real", "On n'est pas intéressés, ne nous contactez plus.", "plural"],
    ["innocent", "Je n'arrête pas de recevoir des demandes pour ce produit, parlons-en.", "other sense"],
    ["innocent", "Vous ne m'avez plus donné de nouvelles après notre appel.", "past"],
    ["uncertain", "Merci de ne plus m'écrire sur mon adresse personnelle.", "channel"]
  ],
  heldOut: [
    ["real", "Merci de me désinscrire."],
    ["real", "Je ne veux plus avoir de nouvelles de votre part."],
    ["real", "Cessez de me solliciter.", "formal"],
    ["real", "Non merci, et ne me relancez pas.", "refusal first"],
    ["real", "Supprimez-moi de votre base, svp"],
    ["real", "Je m'oppose à l'utilisation de mes données.", "legal"],
    ["innocent", "Supprimez mon dernier message, je me suis trompé de destinataire.", "other object"],
    ["innocent", "Recontactez-moi à la rentrée.", "the opposite"],
    ["innocent", "Un collègue m'a dit qu'il ne voulait plus recevoir ce genre de messages, moi si.", "reported"],
    ["innocent", "On n'arrête pas le progrès, envoyez-moi votre plaquette.", "other sense"],
    ["innocent", "Pourquoi voudrait-on se désabonner d'un service pareil ?", "question"],
    ["uncertain", "Ne m'appelez pas, je préfère un mail.", "channel"],
    ["uncertain", "Ne me relancez pas tant que je suis en congé.", "until"]
  ]
}
