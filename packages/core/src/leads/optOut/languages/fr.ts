/** How opt-outs are worded in French. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

// Apostrophes are dropped: "m'écrire" is "mécrire".
const you =
  "(contactez|contacte|recontactez|recontacte|appelez plus|écrivez|écris|envoyez|envoie|relancez|relance|sollicitez|sollicite|dérangez|dérange|démarchez|démarche|importunez|importune|spammez|harcelez|adressez|embêtez|prospectez|mécrivez|mécris|menvoyez|menvoie|mimportunez|mimportune|madressez|membêtez)"
const to =
  "(contacter|recontacter|écrire|réécrire|envoyer|relancer|solliciter|déranger|démarcher|importuner|spammer|harceler|adresser|embêter|prospecter|mécrire|menvoyer|mimportuner|madresser|mharceler|membêter)"
const done =
  "(contacté|contactée|contactés|recontacté|sollicité|sollicitée|sollicités|dérangé|dérangée|démarché|démarchée|relancé|relancée|importuné|importunée|spammé)"
const remove =
  "(retirer|enlever|supprimer|ôter|rayer|effacer|désinscrire|désabonner|exclure|radier|sortir|menlever|moter|mexclure|meffacer)"
const removing =
  "(retirez|retire|enlevez|enlève|supprimez|supprime|ôtez|rayez|effacez|efface|désinscrivez|désinscris|désabonnez|désabonne|excluez|radiez|sortez)"
const mails =
  "(pub|pubs|mails|mail|e mails|emails|email|messages|message|courriels|courrier|sollicitations|sollicitation|relances|relance|contact|contacts|publicité|publicités|newsletters|newsletter|communications|prospection|spam|spams|démarchage)"
const data =
  "(données|coordonnées|adresse|email|mail|e mail|nom|contact|informations|infos|numéro|adresse mail|adresse email|fiche|profil)"

const contacting =
  "(*contact*|*écri*|*envo*|*relanc*|*sollicit*|*dérang*|*démarch*|*importun*|*spam*|*harcel*|*adress*|*embêt*|*prospect*|*ennuy*|*pollu*|*bombard*|*inond*)"

export const fr: OptOutLanguage = {
  script: "latin",
  alone: [
    "(lâchez|lâche|fichez|foutez) (moi|nous) [la grappe|les baskets]",
    "désabonner",
    "me désabonner",
    "se désabonner",
    "désinscrire",
    "me désinscrire",
    "désinscription",
    "désabonnement",
    "désabonnez moi",
    "désinscrivez moi",
    "désabonne moi",
    "retirez moi",
    "stop mail",
    "stop pub"
  ],
  aloneInMessage: ["stop", "stoppez", "arrêtez", "arrête", "ça suffit", "assez", "supprimer", "supprimez", "fin"],
  commands: [
    `(darrêter|de cesser) de ${contacting}`,
    "(inutile|pas la peine|pas besoin) (de|dy) [me|nous] (revenir|insister|persister|continuer|poursuivre)",
    `(arrêtez|arrête|cessez) avec (vos|tes|ces|les) ${mails}`,
    "(mettez|inscrivez|ajoutez) (moi|nous|mon adresse) ~ liste (noire|rouge|dopposition|dexclusion)",
    "(virez|vire|dégagez) (moi|nous) (de|du|des)",
    "(lâchez|lâche|oubliez|oublie|bloquez|blacklistez) (moi|nous)",
    `ne (me|nous) ${contacting} [surtout] (plus|jamais|pas)`,
    `(me|nous) ${contacting} (plus|jamais)`,
    "(mécri*|menvo*|mimportun*|mharcel*|membêt*) (plus|jamais)",
    `ne (plus|pas|jamais) [jamais] [me|nous|être|vouloir|chercher à|continuer à|tenter de|essayer de|me faire] ${contacting}`,
    `(arrêt*|cess*|stop*|évit*|abst*) [vous] [de|dès] [me|nous|continuer à me] ${contacting}`,
    `${removing} [moi|nous|tout|toutes|tous|absolument] [mes|mon|ma|nos|notre|les] ~ (me concernant|nous concernant|sur moi|sur nous)`,
    `(cesser|cessez|arrêter|arrêtez|stopper|stoppez|interrompre|interrompez|suspendre|suspendez) [immédiatement|définitivement] (tout|toute|toutes|tous|vos|les|cet|ces|lenvoi) [les|vos|autre|nouvelle|nouvel|nouveau|forme de|type de] (envoi|envois|contact|communication|sollicitation|sollicitations|relance|relances|démarchage|prospection|message|messages|mail|mails|de)`,
    `(ninsistez|ninsiste) (pas|plus)`,
    `ne (me|nous) (faites|fais) (plus|pas) (parvenir|suivre)`,
    `(me|nous) (retire|retirer|retirez|supprime|supprimiez|retiriez|enleviez|désinscriviez|désabonniez|effaciez|rayiez|sortiez) [définitivement|immédiatement] (de|des|du|de votre)`,
    `(basta|assez|marre|stop) (de|avec|les|aux|de vos|avec vos|de tes|les) [vos|tes|ces] ${mails}`,
    `(faites|fais) en sorte que je ne`,
    `(plus|pas) (un|un seul|une|une seule) [de] ${mails}`,
    `(rayez|raye|effacez|oubliez) (mon|mes|ma|moi)`,
    `ne (vous|te) (donnez|donne) (pas|plus) la peine de (me|nous|mécrire|merelancer)`,
    `ne ${you} [surtout|donc] (plus|jamais|pas)`,
    `ne [surtout] (plus|jamais|pas) [jamais] [me|nous|m] [faire|être] ${to}`,
    `(arrêtez|arrête|cessez|cesse|stoppez|cesser|arrêter|stopper) [immédiatement|tout de suite] (tout|toute|toutes|vos|tes|les|ces|lenvoi|lenvoi de|cette) [vos|tes|nouvelle|autre|les|forme de|communication et] ${mails}`,
    `${removing} (moi|nous|@)`,
    `(me|nous) ${remove} (de|des|du|$)`,
    "(menlever|meffacer|mexclure|moter) (de|des|du)",
    `${removing} [immédiatement|svp|toutes|tous|de votre base] [toutes|tous] (mes|mon|ma|nos|notre|cette) [données|adresse] [personnelles|mail|email|e] ${data}`,
    `${remove} [immédiatement|définitivement|toutes|tous|svp] [toutes|tous] (mes|mon|ma|nos|notre) ${data}`,
    "(laissez|laisse|fichez|foutez|fiche|fous) (moi|nous) [donc|enfin] (tranquille|tranquilles|en paix|la paix)",
    `(plus|pas|plus aucun|plus aucune|plus jamais|aucun autre|aucune autre) (de|d|aucun) ${mails}`,
    `(inutile|pas la peine|ce nest pas la peine|il est inutile|plus la peine) de [me|nous] ${to}`,
    `(vous abstenir|tabstenir|abstenez vous|abstiens toi) [désormais|à lavenir] (de|dorénavant)`
  ],
  statements: [
    "vous navez (pas|aucun|aucune) [le|mon|de] (droit|autorisation|permission|accord|consentement) (de|dutiliser|pour) [me|utiliser|contacter|conserver|traiter|mes|mon]",
    "(je|nous) ne (consens|consentons|accepte|acceptons|autorise|autorisons) (pas|plus) [à|de] (être|recevoir|la prospection|lenvoi|lutilisation|dêtre)",
    "(serais|serait|seriez|saurais|apprécierais|préférerais|aimerais|serions) [reconnaissant*|bien|gré|gentil|aimable|ravi*] [que|si] vous (arrêt*|cess*|ne me|ne nous|me retir*|me supprim*|me désins*|pouvi*)",
    `(je|nous) ne (souhait*|veux|voulons|désir*|voudr*) (plus|pas|pas du tout) [que lon|que vous] [être|me|nous] (${contacting.slice(1, -1)}|figurer|apparaître|faire partie)`,
    "(souhait*|veux|voulons|demande*|désir*|préfèr*) [à|de] ne plus [être|recevoir|figurer|apparaître|faire]",
    `(nai|navons|je nai) [jamais|pas] (jamais|pas) (donné|autorisé|consenti|accepté) [mon|à|de|dêtre|notre|que] ~ (recevoir|contacté|contactée|accord|consentement|mails|messages|démarché)`,
    `(je|nous) (préférerais|préfèrerais|préfère|aimerais|souhaite|souhaiterais|voudrais) [que] (ne plus|ne pas|vous ne|être) [me|plus] (recevoir|contacter|contactiez|être contacté|être sollicité|retiré|retirée|supprimé|supprimée|écrire|mécriviez|sollicité)`,
    `(je|nous) (vous|te) (interdis|interdisons) [formellement|désormais] de (me|nous|mécrire|conserver|utiliser)`,
    `(je|nous) (demande|exige|veux|demandons) que (vous|mes|mon|toutes|lon) ~ (supprimiez|supprimées|effacées|effaciez|retiriez|cessiez|arrêtiez|supprimé)`,
    `(je|nous|on) ne (souhaite|souhaitons|veux|voulons|veut|désire|désirons|voudrais|tiens) (plus|pas|plus du tout|pas du tout|aucunement) [à] [être|recevoir|avoir|me faire|que] ~ (${done.slice(1, -1)}|${mails.slice(1, -1)}|recevoir|nouvelles|entendre|sollicitations)`,
    `(je|nous) ne (souhaite|souhaitons|veux|voulons|désire|désirons) (plus|pas) (être|recevoir|avoir de vos nouvelles|avoir de nouvelles|entendre parler|que vous|recevoir de)`,
    `(je|nous) (préfère|préfèrerais|préférerais|aimerais|préférons) [autant] (ne plus|ne pas)`,
    `(je|nous) [vous] (veux|voudrais|souhaite|souhaiterais|demande|demanderais|aimerais|prie|désire|souhaitons|voulons|exige) [vous|de bien vouloir|de|donc|bien] (me désabonner|me désinscrire|ne plus|être retiré|être retirée|être supprimé|être supprimée|être désinscrit|me retirer|résilier)`,
    `(je|nous) (voudrais|souhaite|veux|souhaiterais|aimerais) que vous (arrêtiez|cessiez|me retiriez|me supprimiez|supprimiez|meffaciez|ne)`,
    `(vous|tu) [ai|avons|lai] [lai|ai|avons] [déjà|pourtant] [déjà] (demandé|dit|prié|signalé) [plusieurs fois|deux fois|trois fois|déjà] (de ne plus|de ne pas|darrêter|de cesser|de me retirer|de me désinscrire|de supprimer|de me supprimer)`,
    `(demande|exige|réclame|sollicite|requiers|souhaite) [la|leffacement|leur|une] [de|suppression|radiation|effacement] (de|suppression|effacement) [toutes] (mes|ma|mon|mes) [données|coordonnées]`,
    `(demande|exige|prie|réclame) (deffacer|de supprimer|la suppression de|leffacement de|de retirer|de détruire) [toutes|lensemble de|tout] (mes|mon|ma|nos|lensemble)`,
    "(je|nous) (moppose|nous opposons|mopposons) [par la présente|formellement|expressément] (à|au|aux)",
    "(je|nous) (retire|révoque|retirons) [par la présente] mon consentement",
    "(jexerce) mon droit (dopposition|à leffacement|deffacement|à loubli)"
  ],
  concepts: {
    stop: "(arrêtez|arrêter|arrête|arrêtiez|cesser|cessez|cesse|cessiez|interromp*|suspend*|mettre fin|mettez fin|mettre un terme|mettez un terme|abstenir|abstenez|abstiens|stop|stopper|stoppez)",
    remove:
      "(retirer|retirez|retire|retiriez|enlever|enlevez|enlève|enleviez|supprimer|supprimez|supprime|supprimiez|ôter|ôtez|rayer|rayez|effacer|effacez|désinscrire|désinscrivez|désabonner|désabonnez|exclure|excluez|radier|radiez|virer|virez|suppression|effacement|radiation|retrait)",
    contact:
      "(*contacter|*contactez|*contacte|*contactiez|*écrire|*écrivez|*écris|*écriviez|*envoyer|*envoyez|*envoie|*envoyiez|*relancer|*relancez|*relance|*solliciter|*sollicitez|*sollicite|*déranger|*dérangez|*démarcher|*démarchez|*importuner|*importunez|*spammer|*spam|*harceler|*harcelez|*adresser|*adressez|*embêter|*embêtez|*prospecter|*joindre)",
    me: "(me|moi|nous|mon adresse|ma boîte|ma messagerie|mon nom|mon mail|mon contact|mes coordonnées|mes données|nos coordonnées|notre adresse|cette adresse|mécri*|menvo*|mimport*|mharcel*|madress*|membêt*|menlever|meffacer|mexclure)",
    mine: "(mes|mon|ma|nos|notre|lensemble de mes|toutes mes) (données|coordonnées|adresse|nom|informations|infos|numéro|adresse mail|adresse email|fiche|profil) [personnelles]",
    list: "(liste*|*base*|fichier*|mailing*|diffusion|système|crm|newsletter*|envois|envoi|campagne*|séquence*|registre*|là|contacts)",
    mails:
      "(mails|mail|e mails|emails|messages|courriels|sollicitations|relances|publicité*|pub|pubs|newsletter*|communications|prospection|spam|spams|démarchage|propositions|offres|envois|envoi|contact|contacts|message)",
    more: "(plus|jamais|davantage|vos|votre|tes|ces|ce|les|aucun*|tout|toute|nouve*|autre*|vous)",
    want: "(souhait*|veux|voulons|voudr*|désir*|aimer*|tiens|intéress*|accept*|autoris*|consen*|besoin|envie)",
    receive:
      "(recevoir|reçoive|contacté*|sollicité*|démarché*|relancé*|dérangé*|importuné*|entendre|lire|avoir de vos nouvelles|être|figurer)",
    reversal:
      "(hésit*|nhésit*|oubli*|moubli*|manqu*|rater|perdre|inquiét*|arrêtez moi|si je|reçu|nai plus|pas encore|problème|souci|excus*|arrêtez surtout pas|narrêt*|ncess*|ne cess*|tarifs|prix|never|dont|not|you|the|to|i)"
  },
  doubts: [
    "(trois|quatre|cinq|six|dix|plusieurs|troisième|quatrième|cinquième|sixième|énième|xième) (fois|mail*|message*|relance*)",
    "vous êtes (lourd*|pénible*|insupportable*|fatigant*|relou*)",
    "(signaler|signale|signalerai|marquer|marque) ~ (spam|indésirable)",
    "(cest|cela sappelle) (du spam|du harcèlement)",
    "(va te faire|allez vous faire|foutez le camp|dégage|dégagez|casse toi|cassez vous)",
    "ne (mappelez|mappelle|me téléphonez|mappeler) (pas|plus|jamais)",
    `ne ${you}`,
    "ça suffit maintenant",
    "pas (me contacter|mécrire)"
  ],
  leadIns: [
    "(monsieur|madame|messieurs|écoutez|cest bon|c bon) [là]",
    "bonjour",
    "bonsoir",
    "non",
    "non merci",
    "et",
    "mais",
    "donc",
    "alors",
    "désormais",
    "dorénavant",
    "à lavenir",
    "encore une fois",
    "une dernière fois",
    "pour la dernière fois",
    "veuillez [bien|donc|à lavenir]",
    "(pouvez|pourriez|voudriez|voulez) vous [bien|svp|donc|enfin]",
    "(peux|pourrais) tu",
    "(je|nous) [vous|te] [vous|te] (demande|demandons|prie|prions|invite|saurais gré|serais reconnaissant|serais reconnaissante|remercie|somme|conjure|supplie|ordonne) [donc|de bien vouloir|bien vouloir|instamment] [de|à]",
    "merci [donc|bien|davance|également] [de bien vouloir|de|à vous]",
    "(je|nous) (souhaite|voudrais|veux|aimerais|souhaiterais|désire|voulons|souhaitons) [vous demander de]",
    "(vous devez|il faut|vous êtes prié|vous êtes priés) [de]",
    "prière de",
    "de",
    "à",
    "sinon rien",
    "pas intéressé",
    "pas intéressée",
    "cela ne mintéresse pas",
    "ça ne mintéresse pas",
    "par pitié",
    "bien vouloir",
    "immédiatement",
    "maintenant",
    "(aussi|également)",
    "vous",
    "serait il possible de",
    "estce que vous pouvez",
    "est ce que vous pouvez"
  ],
  pleases: [
    "sil vous plaît",
    "sil te plaît",
    "svp",
    "stp",
    "merci",
    "merci de",
    "veuillez",
    "prière de",
    "de bien vouloir"
  ],
  fillers: [
    "(sinon|ne pourriez vous pas|je nai [jamais] rien demandé)",
    "je ne (veux|voudrais|souhaite) pas vous (embêter|déranger|importuner|ennuyer)",
    "(ni|que ce soit) (par|via|sur) (mail|email|e mail|téléphone|courrier|sms|linkedin)",
    "ni (autrement|ailleurs)",
    "(immédiatement|définitivement|désormais|dorénavant|surtout|donc|enfin|instamment|formellement|expressément|vraiment|rapidement)",
    "(tout de suite|de suite|sans délai|à lavenir|dès à présent|dès maintenant|à compter de ce jour|pour de bon)",
    "une [bonne] fois pour toutes",
    "une bonne fois pour toutes"
  ],
  denials: ["pas", "ne", "jamais", "plus"],
  joins: ["(et|mais|donc|car|ou|alors|puis)"],
  negations: ["(ne|nous ne|sans|pas|jamais|ne pas|pas besoin de|nul besoin de) [me|nous|vouloir|de]"],
  others: [
    "sest",
    "(destinataires|qui|comment|pourquoi|quand|si|ceux|celles|quelquun|personne|gens|il|elle|ils|elles|clients|clientes|utilisateurs|prospects|candidats|abonnés|certains|beaucoup)",
    "(on|nous|je) (aide|aidons|permet|permettons|laisse)",
    "(quel|quelle|quels|estce quon|peut on)"
  ],
  reports: [
    "(dit|disait|disent|demande que|demandent|écrit|écrivait|répond|répondu|prétend|affirme|a demandé|ont demandé|ma demandé|ma dit)"
  ],
  limits: [
    "(erreur|mégarde|suffit|suffira)",
    "(le|un|votre) (devis|contrat|document|dossier|lien|rapport|bon)",
    "(avant|jusquà|jusquau|jusque|si|sauf|quand|lorsque|pendant|durant|tant|dici|plutôt|sinon|aujourdhui|demain|actuellement|provisoirement|ici|le soir|la nuit|le week end|excepté|hormis)",
    "(pour le moment|pour linstant|en ce moment|à ce stade|cette année|ce mois|cette semaine|ce trimestre|cet été|cet hiver|dans limmédiat|tout de suite après)",
    "(sur|par|via|au) (linkedin|whatsapp|téléphone|mail|e mail|email|sms|facebook|mon portable|mon numéro|ce canal|ce réseau|mon adresse|telegram)",
    "(pendant|pour|dans) (un|une|deux|trois|quatre|six|quelques|les prochains|les prochaines) (jour|jours|semaine|semaines|mois|an|ans|année)",
    "(à ce sujet|à ce propos|concernant|au sujet|si souvent|aussi souvent|trop tôt|trop souvent|le dimanche|le samedi)"
  ],
  invitations: [
    "(écrivez|contactez|recontactez|joignez|appelez|envoyez|rappelez|relancez) (moi|nous) [plutôt|donc|le] (à|au|en|par|via|sur|après|dans|lundi|mardi|mercredi|jeudi|vendredi|plus tard|la semaine|le mois)",
    "(à|sur|via|par) @",
    "(nhésitez|nhésite) pas"
  ]
}
