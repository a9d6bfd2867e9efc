/**
 * What asks for no further contact beyond doubt, by language: exact phrases, without pleases.
 *
 * `;` ends a phrase, and `(a|b)` makes one of each option. Case, punctuation, diacritics and apostrophes do not matter.
 */

export interface OptOutPhrases {
  /** Count as a sentence by itself. */
  readonly sentences: string
  /** Count only as the whole message: alone they may mean something else, or one channel only. */
  readonly messages: string
}

export const phrases: Readonly<Record<string, OptOutPhrases>> = {
  en: {
    sentences: `
      unsubscribe (me|us|me now|us now|me from everything|this address|my email|my address);
      unsubscribe (me|us) from (this|your|the|all|all your) (list|lists|mailing list|mailing lists|newsletter|emails);
      (remove|delete|take) (me|us|my name|my email|my address|my email address|my details) (from|off) (your|this|the|all your) (list|lists|mailing list|mailing lists|contact list|database|records|system|crm);
      (can|could|would|will) you (remove|delete|take) (me|us|my name|my email|my address) (from|off) (your|this|the) (list|mailing list|database)?;
      delete (|all) my (data|personal data|details|contact details|information|personal information); opt (me|us) out (|of this|of these);
      (i want|i would like|i'd like|i wish) to (unsubscribe|opt out|be removed from your list|be removed from this list|be taken off this list|be taken off this mailing list);
      (do not|don't) (|ever) contact (me|us) (again|anymore|any more|any further|any longer|ever again|in the future); never contact (me|us) again;
      (stop|cease|quit) contacting (me|us); (can|could|would|will) you stop contacting (me|us)?;
      (i|we) (do not|don't|no longer) (want|wish) to be contacted (|again|anymore|any more|any further)`,
    messages: `
      stop; stop now; unsubscribe; unsubscribe now; unsub; remove; remove me; take me off; opt out; do not contact; (do not|don't) contact (me|us);
      no (more|further) (emails|mails|messages|contact|spam); no contact;
      (stop|quit) (emailing|mailing|messaging|writing to|writing|texting|spamming|bothering|harassing) (me|us);
      stop (emailing|messaging|writing|spamming); stop sending (me|us) (emails|mails|messages|spam|these|this);
      (do not|don't|never) (email|mail|message|write to|write|text) (me|us) (|again|anymore|any more|ever again);
      (do not|don't) (contact|email|message|write) (again|anymore|any more);
      (i|we) (do not|don't|no longer) (want|wish) to receive (|any more|any further|your|these) (emails|mails|messages);
      (i|we) (do not|don't) want (any more|your|these) (emails|mails|messages); leave (me|us) alone`
  },
  de: {
    sentences: `
      (nehmen|streichen|entfernen|löschen) sie (mich|uns|meine adresse|meine e-mail-adresse|meinen namen) (aus|von) (ihrem verteiler|dem verteiler|ihrer liste|der liste|dieser liste|ihrer mailingliste|ihrer datenbank|allen listen);
      (nimm|nehmt|streich|streicht|entferne|entfernt|lösche|löscht) (mich|uns) (aus|von) (eurem verteiler|deinem verteiler|dem verteiler|eurer liste|deiner liste|der liste|eurer datenbank);
      (können|könnten|würden) sie (mich|uns) (aus|von) (ihrem verteiler|dem verteiler|ihrer liste|der liste) (nehmen|streichen|entfernen|löschen)?;
      (melden sie|meldet) (mich|uns) ab; (tragen sie|tragt|trag) (mich|uns) aus;
      (löschen sie|löscht|lösche) (|alle) meine (daten|personenbezogenen daten|kontaktdaten|adresse|e-mail-adresse);
      (kontaktieren sie|kontaktiert|kontaktiere) (mich|uns) (nicht mehr|nicht wieder|nicht weiter|nie wieder);
      (mich|uns) nicht (mehr|wieder|weiter) kontaktieren;
      (ich möchte|ich will|wir möchten|wir wollen) nicht (mehr|weiter|länger) (kontaktiert|angeschrieben) werden;
      (ich wünsche|wir wünschen) (keinen weiteren kontakt|keinen kontakt mehr|keine weitere kontaktaufnahme);
      (ich möchte|ich will) (mich abmelden|aus dem verteiler genommen werden);
      hiermit widerspreche ich der (nutzung|verarbeitung) meiner (|personenbezogenen) daten`,
    messages: `
      abmelden; abbestellen; austragen; stopp; streichen; kein kontakt; keine (|weiteren) (mails|e-mails|nachrichten|werbung);
      keine (|weiteren) (mails|e-mails|nachrichten|werbung) mehr; (schreiben sie|schreibt|schreib) (mir|uns) (nicht mehr|nicht wieder|nie wieder);
      nicht (mehr|wieder) (schreiben|anschreiben|kontaktieren|melden); (hören sie|hört|hör) auf (mir|uns) zu schreiben;
      (schicken|senden) sie (mir|uns) keine (|weiteren) (mails|e-mails|nachrichten|werbung) (|mehr);
      (ich möchte|ich will) keine (|weiteren) (mails|e-mails|nachrichten|werbung) (|mehr) (|erhalten|bekommen);
      (lassen sie|lasst|lass) (mich|uns) (|endlich|einfach) in ruhe`
  },
  fr: {
    sentences: `
      (désabonnez|désinscrivez)-(moi|nous) (|de tout|de cette liste|de votre liste);
      (|veuillez|merci de|prière de|de) (me|nous) (désabonner|désinscrire);
      (retirez|enlevez|supprimez|ôtez|effacez)-(moi|nous) de (votre|cette|la) (liste|liste de diffusion|base|base de données|fichier);
      (|veuillez|merci de|de) (me|nous) (retirer|enlever|supprimer) de (votre|cette|la) (liste|liste de diffusion|base|base de données|fichier);
      (pourriez|pouvez)-vous (me|nous) (retirer|enlever|supprimer|désinscrire|désabonner) de (votre|cette|la) (liste|liste de diffusion|base)?;
      (supprimez|effacez) (mes données|toutes mes données|mes données personnelles|mes coordonnées);
      ne (me|nous) (contactez|recontactez|sollicitez) (plus|plus jamais);
      (|merci|merci de|veuillez|je vous prie|je vous prie de|je vous demande de|de) ne plus (me|nous) (contacter|recontacter|solliciter);
      (arrêtez|cessez) de (me|nous) (contacter|solliciter);
      (je ne souhaite|je ne veux|je ne désire) plus être (contacté|contactée|sollicité|sollicitée|démarché|démarchée)`,
    messages: `
      désabonner; désabonnement; désinscription; désinscrire; stop pub; arrêtez; ne (m'|nous )écrivez plus;
      (|veuillez|je vous prie de|de) ne plus (m'|nous )écrire; (arrêtez|cessez) de (m'|nous )écrire;
      (arrêtez|cessez) de (m'|nous )envoyer des (mails|e-mails|messages); plus (de|aucun) (mails|mail|e-mails|messages|message|pub);
      je ne (souhaite|veux|désire) plus recevoir (vos|de|ces) (messages|mails|e-mails|courriels);
      (|veuillez|de) ne plus (m'|nous )envoyer de (messages|mails|e-mails|courriels); (laissez|laisse)-moi (tranquille|en paix)`
  },
  es: {
    sentences: `
      (denme|deme|dame) de baja (|ya|de esta lista|de su lista|de la lista); (quiero|quisiera|deseo) darme de baja (|de esta lista|de su lista);
      (elimínenme|elimíneme|elimíname|bórrenme|bórreme|bórrame|quítenme|quíteme|quítame|sáquenme|sáqueme|sácame|retírenme) de (su|tu|la|esta) (lista|lista de correo|lista de contactos|base de datos);
      ¿(podría|podrían|puede|pueden) (quitarme|eliminarme|borrarme|sacarme) de (su|la|esta) (lista|lista de correo|base de datos)?;
      (eliminen|elimine|borren|borre) (|todos) mis (datos|datos personales|datos de contacto);
      no (me|nos) (contacten|contacte|contactes) (más|de nuevo|nunca más|otra vez); no (me|nos) (vuelvan|vuelva|vuelvas) a contactar;
      (no vuelva|no vuelvan) a (contactarme|contactarnos); (dejen|deje|deja|dejad) de (contactarme|contactarnos);
      no (deseo|quiero) (ser contactado|ser contactada) (|más|de nuevo); no (deseo|quiero) que me (contacten|contacte) (|más|de nuevo)`,
    messages: `
      baja; cancelar (|la) suscripción; anular (|la) suscripción; darse de baja; no más (correos|mensajes|e-mails|publicidad);
      no (me|nos) (escriba|escriban|escribas) (|más|nunca más); no (vuelva|vuelvan|vuelvas) a (escribirme|escribirnos);
      (dejen|deje|deja|dejad) de (escribirme|escribirnos|molestarme|enviarme correos|enviarme mensajes|mandarme correos|mandarme mensajes);
      no (me|nos) (envíe|envíen|envíes|mande|manden|mandes) más (correos|mensajes|e-mails|publicidad);
      no (deseo|quiero) recibir más (correos|mensajes|e-mails|publicidad|comunicaciones); (déjenme|déjeme|déjame|dejadme) en paz`
  },
  it: {
    sentences: `
      (cancellatemi|mi cancelli|cancellami|rimuovetemi|mi rimuova|rimuovimi|toglietemi|mi tolga|toglimi|eliminatemi) (dalla|dalla vostra|dalla sua|da questa|dal vostro) (lista|mailing list|elenco|database);
      (disiscrivetemi|mi disiscriva|disiscrivimi) (|dalla lista|da questa lista|da tutto);
      (potrebbe|potete|potreste|può) (cancellarmi|rimuovermi|togliermi) (dalla|dalla vostra|da questa|dal vostro) (lista|mailing list|elenco|database)?;
      (vorrei|voglio) (disiscrivermi|cancellarmi) (|da questa lista|dalla lista);
      (cancellate|cancelli|eliminate|elimini) i miei (dati|dati personali|recapiti);
      non (mi|ci) (contatti|contattate|contattare|ricontatti|ricontattate) (|mai) più; non (contattatemi|contattarmi|contattateci) (|mai) più;
      (smettetela|smetta|smetti|smettete) di (contattarmi|contattarci);
      non (desidero|voglio) (|più) essere (contattato|contattata) (|ulteriormente|di nuovo);
      (la|vi) prego di (non contattarmi più|rimuovermi dalla vostra lista|rimuovermi dalla vostra mailing list)`,
    messages: `
      cancellami; cancellatemi; cancellatemi subito; rimuovetemi; disiscrizione; annulla iscrizione; basta (mail|email|messaggi|spam);
      (niente|nessuna|basta) più (mail|email|messaggi|pubblicità); niente più (mail|email|messaggi|pubblicità);
      non (mi|ci) (scriva|scrivete|scrivere) (|mai) più; non (scrivetemi|scrivermi|scriveteci) (|mai) più;
      (smettetela|smetta|la smetta|smetti|smettete) di (scrivermi|scriverci|mandarmi mail|mandarmi email|mandarmi messaggi);
      non (desidero|voglio) (|più) ricevere (|altre|più|vostre|le vostre) (mail|email|comunicazioni); (lasciatemi|mi lasci|lasciami) in pace`
  },
  pt: {
    sentences: `
      (descadastrem-me|descadastre-me|me descadastre|me descadastrem|me descadastra);
      (quero|gostaria de) (me descadastrar|cancelar minha inscrição|cancelar a minha inscrição);
      (remova-me|removam-me|me remova|me removam|retire-me|retirem-me|me retire|me tire|me tirem|me tira|tirem-me|exclua-me|me exclua|me excluam|apaguem-me) (da|da sua|da vossa|desta|dessa) (lista|lista de e-mails|mailing|base de dados);
      (pode|podem|poderia|poderiam) (me tirar|me remover|me retirar|tirar-me|remover-me|retirar-me) (da|da sua|da vossa|desta) (lista|base de dados)?;
      (apague|apaguem|exclua|excluam|elimine|eliminem) (|todos) os meus dados (|pessoais|de contacto|de contato);
      (apague|apaguem|exclua|excluam) (|todos os) meus dados; não (me|nos) (contacte|contactem|contate|contatem) (mais|novamente|de novo|nunca mais);
      não (entre|entrem) mais em (contato|contacto) comigo; (pare|parem) de (me contatar|me contactar|contactar-me|entrar em contato comigo);
      não (desejo|quero) (|mais) ser (contactado|contactada|contatado|contatada) (|novamente|mais);
      peço que não me (contactem|contacte|contatem|contate) mais`,
    messages: `
      descadastrar; cancelar inscrição; cancelar (|a) subscrição; sair da lista; (chega|basta) de (e-mails|emails|mensagens|spam);
      não (me|nos) (escreva|escrevam) (|nunca) mais;
      (pare|parem|para) de me (escrever|mandar e-mails|mandar email|mandar mensagens|mandar mensagem|enviar e-mails|enviar mensagens);
      não me (envie|enviem|mande|mandem) mais (e-mails|mensagens|nada|publicidade);
      não (desejo|quero) (receber mais|mais receber) (|suas|as suas|vossas|os seus) (mensagens|e-mails|comunicações);
      (deixem-me|deixe-me|me deixe|me deixem) em paz`
  },
  nl: {
    sentences: `
      (schrijf|meld) (mij|me|ons) (|hier|overal) (uit|af);
      (verwijder|haal|schrap) (mij|me|ons|mijn adres|mijn e-mailadres|mijn naam) (van|uit) (uw|jullie|je|de|deze) (lijst|mailinglijst|maillijst|bestand|database);
      gelieve (mij|ons) (van|uit) (uw|de) (lijst|mailinglijst|bestand|database) te (verwijderen|halen|schrappen);
      (kunt u|kan u|zou u|kunnen jullie|kun je|wilt u) (mij|me|ons) (van|uit) (uw|jullie|de|deze) (lijst|mailinglijst|bestand|database) (verwijderen|halen|afhalen|schrappen)?;
      (verwijder|wis) (|al) mijn (gegevens|persoonsgegevens|contactgegevens);
      neem (geen contact meer|niet meer contact|nooit meer contact) (met mij|met me|met ons) op;
      (benader|contacteer) (mij|me|ons) (niet meer|nooit meer); gelieve (mij|ons) niet (meer|langer) te (contacteren|benaderen);
      (stop|hou op|houd op) (mij|me|ons) te (contacteren|benaderen);
      (ik wil|ik wens|wij willen|wij wensen) niet (meer|langer) (benaderd|gecontacteerd) (te |)worden; ik wil mij (uitschrijven|afmelden)`,
    messages: `
      afmelden; uitschrijven; verwijderen; geen contact (|meer); geen (|verdere) (mails|e-mails|berichten|reclame);
      geen (mails|e-mails|berichten|reclame) meer; (schrijf|mail) (mij|me|ons) niet meer; niet meer (mailen|schrijven|contacteren|benaderen);
      (stop|hou op|houd op) met (mailen|mij te mailen|mij te schrijven|schrijven|mij te spammen|spammen);
      stuur (mij|me|ons) geen (mails|e-mails|berichten|reclame) meer; ik wil geen (mails|e-mails|berichten|reclame) meer (|ontvangen|krijgen);
      laat (mij|me|ons) met rust`
  },
  sv: {
    sentences: `
      (avregistrera|avanmäl) (mig|oss);
      (ta bort|stryk|radera) (mig|oss|min adress|min e-post) från (er|din|listan|den här) (|lista|listan|e-postlista|databas|register);
      (kan|skulle) (ni|du) ta bort (mig|oss) från (er lista|listan)?; (ta bort|radera) (|alla) mina (uppgifter|personuppgifter|kontaktuppgifter);
      kontakta (mig|oss) (inte|aldrig) (mer|igen|längre|mera); kontakta (inte|aldrig) (mig|oss) (mer|igen|längre|mera);
      sluta (|att) kontakta (mig|oss); (jag|vi) vill inte (|längre) bli (kontaktad|kontaktade) (|igen|mer|längre)`,
    messages: `
      avregistrera; avprenumerera; avsluta prenumeration; avsluta prenumerationen; stopp; ta bort mig; kontakta (mig|oss) inte;
      inga fler (meddelanden|mejl|mail|utskick); skriv inte till (mig|oss) (|mer|igen);
      sluta (|att) (skriva till|mejla|maila|skriva|spamma) (mig|oss); sluta (|att) (mejla|maila|skriva);
      jag vill inte (|längre) (få|ha) (|fler) (meddelanden|mejl|mail|utskick); (lämna|låt) mig (i fred|ifred|vara|vara i fred)`
  },
  da: {
    sentences: `
      (afmeld|frameld) (mig|os);
      (fjern|slet|tag) (mig|os|min adresse|min mail) (fra|af) (jeres|din|listen|denne) (|liste|mailingliste|database|nyhedsbrev);
      (kan|vil) (i|du) fjerne (mig|os) fra (jeres liste|listen)?; (slet|fjern) (|alle) mine (oplysninger|data|personoplysninger|kontaktoplysninger);
      kontakt (mig|os) (ikke|aldrig) (mere|igen|længere); (kontakt ikke|kontakt aldrig) (mig|os) (mere|igen);
      (stop med|hold op med) at kontakte (mig|os); (jeg|vi) (vil|ønsker) ikke (|længere) at blive kontaktet (|igen|mere);
      (jeg|vi) (vil|ønsker) ikke (|længere) (kontaktes|blive kontaktet) (|igen|mere)`,
    messages: `
      afmeld; frameld; stop; slet mig; fjern mig; kontakt mig ikke; ikke flere (beskeder|mails|henvendelser);
      ingen flere (beskeder|mails|henvendelser); skriv ikke til (mig|os) (|mere|igen); (stop|hold op) med at (skrive til|maile|spamme) (mig|os);
      (stop|hold op) med at (skrive|maile); jeg (vil|ønsker) ikke (|længere) (at modtage|modtage|have) (|flere) (beskeder|mails);
      lad mig være (|i fred)`
  },
  no: {
    sentences: `
      avmeld (meg|oss); meld (meg|oss) av (|listen|nyhetsbrevet);
      (fjern|slett|ta) (meg|oss|min adresse|min e-post) (fra|av) (deres|din|listen|lista|denne) (|liste|listen|e-postliste|database);
      (kan|vil) (dere|du) fjerne (meg|oss) fra (listen|lista|listen deres)?;
      (slett|fjern) (|alle) mine (opplysninger|data|personopplysninger|kontaktopplysninger);
      (ikke kontakt|kontakt ikke) (meg|oss) (mer|igjen|lenger); ikke ta kontakt med (meg|oss) (|mer|igjen|lenger);
      kontakt (meg|oss) (ikke|aldri) (mer|igjen|lenger); (slutt|slutt med|stopp|stopp med) å kontakte (meg|oss);
      (jeg|vi) (vil|ønsker) ikke (|lenger) (å |)bli kontaktet (|igjen|mer)`,
    messages: `
      avmeld; meld av; stopp; slett meg; fjern meg; ikke kontakt (meg|oss); ingen flere (meldinger|e-poster|eposter|henvendelser);
      ikke skriv til (meg|oss) (|mer|igjen); (slutt|slutt med|stopp|stopp med) å (skrive til|sende til|maile|spamme) (meg|oss);
      (slutt|stopp) å (skrive|maile); jeg (vil|ønsker) ikke (|lenger) (å |)(motta|få|ha) (|flere) (meldinger|e-poster|eposter);
      la meg være (|i fred)`
  },
  pl: {
    sentences: `
      (wypisz|wypiszcie|proszę wypisać) mnie (|z listy|z newslettera|z tej listy|ze wszystkiego);
      proszę mnie (wypisać|usunąć z listy|wykreślić z listy|usunąć z bazy|wypisać z listy);
      (usuń|usuńcie|usunąć|wykreśl|wykreślcie|wykreślić) (mnie|mój adres|mój e-mail) z (|waszej|państwa|tej) (listy|listy mailingowej|bazy|bazy danych|listy kontaktów);
      proszę o usunięcie (mnie|mojego adresu) z (|waszej|państwa) (listy|listy mailingowej|bazy|bazy danych);
      czy (możecie|może pan|może pani|mogliby państwo) (usunąć mnie|mnie usunąć|wypisać mnie|mnie wypisać|wykreślić mnie|mnie wykreślić) z (listy|listy mailingowej|bazy)?;
      (usuń|usuńcie|usunąć) (|wszystkie) moje dane (|osobowe|kontaktowe); nie (kontaktuj|kontaktujcie) się ze mną (|więcej|już|ponownie);
      (|więcej) (nie kontaktować się ze mną|się ze mną nie kontaktować|nie kontaktować się ze mną ponownie); nie kontaktować się ze mną więcej;
      się ze mną więcej nie kontaktować; nie (życzę sobie|chcę) (|dalszego|żadnego) kontaktu; (proszę o zaprzestanie|żądam zaprzestania) kontaktu;
      chcę się wypisać (|z listy)`,
    messages: `
      wypisz; rezygnuję; rezygnacja; nie (pisz|piszcie) (|więcej|już) (|do mnie) (|więcej|już); do mnie (|więcej|już) nie (pisać|pisz|piszcie);
      (|więcej) (nie pisać|do mnie nie pisać); (nie pisać|nie pisać do mnie) więcej; (przestań|przestańcie|przestać) do mnie pisać;
      przestańcie mi spamować; nie (chcę|życzę sobie) (|więcej|dalszych) (maili|wiadomości|reklam);
      nie (przysyłaj|przysyłajcie|wysyłaj|wysyłajcie|przysyłać|wysyłać) mi (|więcej) (maili|wiadomości|reklam|ofert); (dajcie|daj) mi spokój`
  },
  ru: {
    sentences: `
      (отпишите|отпиши) (меня|нас) (|от рассылки|от всего);
      (удалите|уберите|исключите|вычеркните) (меня|нас|мой адрес|мою почту|мой email) из (|вашей|вашего|этой|этого) (рассылки|списка|списка рассылки|базы|базы данных);
      (прошу|просьба) (удалить|исключить|убрать) меня из (|вашей|вашего) (рассылки|списка|базы);
      (можете|не могли бы вы|могли бы вы) (убрать|удалить|исключить) меня из (|вашей|вашего) (списка|рассылки|списка рассылки|базы)?;
      (удалите|сотрите) (|все) мои (данные|персональные данные|личные данные|контактные данные|контакты); (|больше) не связывайтесь со мной;
      не связывайтесь со мной больше; прошу больше (не связываться со мной|меня не беспокоить|не беспокоить меня);
      (больше меня не беспокойте|больше не беспокойте меня|не беспокойте меня больше); (я хочу|хочу) отписаться (|от рассылки)`,
    messages: `
      отписаться; отписка; отпишите; стоп; не беспокоить; не беспокойте (|меня|нас); (|больше) (|мне|нам) не (пишите|пиши);
      (|больше) не (пишите|пиши) (|мне|нам) (|больше); прошу (|больше) (мне не писать|не писать мне|не писать);
      (прекратите|перестаньте|хватит) (мне|нам) писать; (прекратите|остановите) рассылку;
      (|больше) не (присылайте|шлите) мне (|больше) (писем|письма|сообщений|сообщения|рекламу);
      (|я) (не хочу|не желаю) (|больше) получать (ваши|ваших|от вас) (письма|сообщения|писем|рассылку); оставьте (меня|нас) в покое`
  },
  zh: {
    sentences: `
      (不要|勿|别|不得)再(联系|打扰|骚扰)(我|我们)(|了); (不要|勿|別|不得)再(聯絡|聯繫|打擾|騷擾)(我|我們)(|了); 以后(|都)不要再(联系|打扰)我(|们)(|了); 停止(联系|骚扰|打扰)我(|们); 停止(聯絡|聯繫|騷擾|打擾)我(|們);
      (把|将)我(|的邮箱|的名字)从(|你们的|您的|贵公司的)(名单|列表|邮件列表|邮件名单|数据库|系统)(|中|里|上)(删除|移除|删掉|去掉|移出);
      (把|將)我(|的信箱|的名字)從(|你們的|您的|貴公司的)(名單|列表|收件名單|郵件名單|資料庫)(|中|裡|上)(刪除|移除|剔除|刪掉); (可以|能不能|能否)把我从(|你们的)(名单|列表|邮件列表)(|中|里)(删除|移除|去掉|删掉)(|吗)?;
      (删除|立即删除)我的(个人信息|信息|所有信息|资料|数据|联系方式); 刪除我的(個人資料|資料|聯絡方式); 我不(想|希望)再被(联系|打扰)(|了); (取消我的订阅|取消我的訂閱|帮我退订|给我退订|幫我退訂)`,
    messages: `
      退订; 退訂; 取消订阅; 取消訂閱; 勿扰; 勿打扰; 谢绝推销; (帮我|)全部退订; (别|不要)(再|)发了; 不要(联系|骚扰|打扰)我; (不要|勿|别)再(给我|)发(|送)(邮件|消息|信息|短信|广告)(|给我)(|了);
      (不要|勿|別)再(|給我)(傳|寄|發|傳送)(郵件|訊息|信|廣告)(|給我)(|了); 停止(给我|)发(|送)(邮件|消息|信息); 我不(想|希望)再收到(|你们的|贵公司的)(|任何)(邮件|消息|信息)(|了)`
  },
  ja: {
    sentences: `
      (|もう|今後|今後一切|二度と)(|私に)(|ご)連絡しないで; (|もう|今後|今後一切|二度と)連絡してこないで; (今後の|今後一切の|もう)(|ご)連絡(は|を)(不要です|結構です|お断りします|お控え|ご遠慮);
      (|私を|私のアドレスを|当方を)(|貴社の|御社の)(リスト|名簿|メーリングリスト|配信リスト|データベース|送信リスト)から(削除して|外して|除外して|消して); (配信|メール配信|メールの配信|メルマガの配信)を(停止して|止めて|解除して);
      (|私を|私の名前を)(|貴社の|御社の)(リスト|名簿|メーリングリスト|配信リスト)から(外して|削除して|消して)(いただけますか|いただけませんか|もらえますか)?; (登録|購読|配信登録|メルマガの登録)を(解除して|取り消して);
      (|私の)(個人情報|情報|データ|連絡先|個人データ)を(|すべて|全て)(削除して|消去して); (連絡|勧誘)を(やめて|止めて|お控え)`,
    messages: `
      配信停止(|で|を|希望|を希望します); (すべて|全て)配信停止にして; 配信解除; 購読解除; 登録解除(|して); 退会; 停止; (|もう|今後|二度と)(メール|メッセージ)(を|は|)(送らないで|送ってこないで|送信しないで|しないで);
      (|今後の)(メール|メッセージ)は(不要です|いりません|要りません); (メール|メッセージ)を(送るのをやめて|やめて); (|もう|これ以上|これ以上の)(メール|メッセージ)を受け取りたくありません`
  },
  ar: {
    sentences: `
      (ألغوا|ألغ|ألغي) اشتراكي (|من القائمة|من كل شيء); (أرجو|أريد|أود) إلغاء اشتراكي;
      (احذفوني|احذفني|أزيلوني|أزلني|شيلوني) من (القائمة|قائمتكم|القائمة البريدية|قائمتكم البريدية|قاعدة البيانات|قاعدة بياناتكم|هذه القائمة);
      (احذفوا|احذف|أزيلوا) (اسمي|بريدي|عنواني|رقمي) من (القائمة|قائمتكم|القائمة البريدية|قائمتكم البريدية|قاعدة بياناتكم);
      (أرجو|يرجى|الرجاء|رجاء|) (حذفي|إزالتي) من (القائمة|قائمتكم|القائمة البريدية|قائمتكم البريدية|هذه القائمة);
      هل (يمكنكم|يمكنك) (إزالتي|حذفي) من (القائمة|قائمتكم|القائمة البريدية|قائمتكم البريدية)?;
      (احذفوا|احذف|امسحوا) (|جميع|كل) (بياناتي|معلوماتي|بياناتي الشخصية);
      (لا تتواصلوا|لا تتواصل) (معي|معنا) (مرة أخرى|مجددا|بعد الآن|بعد اليوم|أبدا);
      (أرجو|يرجى|الرجاء|نرجو|رجاء|) عدم التواصل (معي|معنا) (مرة أخرى|مجددا|بعد الآن|مستقبلا); (توقفوا|توقف) عن التواصل (معي|معنا);
      (لا أريد|لا أرغب في) (أي تواصل|التواصل|أي تواصل منكم) (|معكم|بعد الآن)`,
    messages: `
      إلغاء الاشتراك; الغاء الاشتراك; توقف; توقفوا; (لا تتواصلوا|لا تتواصل) (معي|معنا);
      (لا تراسلوني|لا تراسلني) (|مرة أخرى|مجددا|بعد الآن|بعد اليوم|أبدا); (توقفوا|توقف) عن (مراسلتي|إزعاجي|إرسال الرسائل|إرسال الرسائل إلي);
      (لا ترسلوا|لا ترسل) لي (|المزيد من|أي) (الرسائل|رسائل); لا (أريد|أرغب في) (تلقي|استلام) (|المزيد من|أي) (الرسائل|رسائل|رسائلكم);
      (اتركوني|اتركني) وشأني`
  }
}

/** Changes nothing in what is asked, wherever it stands. Longer ones first. */
export const pleases = {
  spaced: `
    no thank you|no thanks|thank you|thanks in advance|thanks|thx|please|pls|plz|kindly|hello|hi|hey|
    nein danke|vielen dank|danke|bitte|hallo|guten tag|non merci|s'il vous plaît|s'il te plaît|svp|stp|merci|bonjour|
    no gracias|muchas gracias|gracias|por favor|porfa|hola|no grazie|grazie|per favore|per cortesia|buongiorno|
    não obrigado|não obrigada|obrigado|obrigada|por gentileza|se faz favor|olá|nee bedankt|nee dank u|bedankt|dank u|alstublieft|
    alsjeblieft|aub|graag|nej tack|snälla|vänligen|tack|hej|nej tak|venligst|tak|nei takk|vennligst|vær så snill|takk|hei|
    nie dziękuję|dziękuję|dziękujemy|proszę|uprzejmie|dzień dobry|нет спасибо|спасибо|пожалуйста|здравствуйте|
    من فضلكم|من فضلك|لو سمحتم|لو سمحت|لا شكرا|شكرا|مرحبا`,
  unspaced:
    "お願いいたします|お願い致します|お願いします|よろしく|どうか|ください|下さい|谢谢|謝謝|您好|你好|麻烦|麻煩|烦请|煩請|请你们|请|請"
}
