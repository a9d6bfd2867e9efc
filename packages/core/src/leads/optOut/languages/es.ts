/** How opt-outs are worded in Spanish. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const write =
  "(contacte|contactes|contacten|contactéis|escriba|escribas|escriban|escribáis|envíe|envíes|envíen|enviéis|mande|mandes|manden|moleste|molestes|molesten|molestéis|busque|busquen|insista|insistas|insistan|acose|acosen|spamee|recontacte|recontacten|siga escribiendo|sigas escribiendo|sigan escribiendo|siga enviando|sigan enviando|sigan contactando|sigan mandando|siga contactando|mensajee)"
const infinitive =
  "(contactar|contactarme|contactarnos|escribir|escribirme|escribirnos|enviar|enviarme|enviarnos|mandar|mandarme|mandarnos|molestar|molestarme|molestarnos|buscarme|insistir|ponerse en contacto|ponerte en contacto|spamearme|acosarme|hacerme spam)"
const mails =
  "(correos|correo|mensajes|mensaje|emails|email|e mails|mails|mail|contacto|contactos|comunicaciones|comunicación|publicidad|spam|información|ofertas|promociones|boletines|llamadas|noticias|propaganda)"
const remove =
  "(quíteme|quítame|quítenme|quitadme|sáqueme|sácame|sáquenme|sacadme|elimíneme|elimíname|elimínenme|eliminadme|bórreme|bórrame|bórrenme|borradme|retíreme|retírame|retírenme|suprímame|suprímanme|excluyame|exclúyanme|exclúyeme|desuscríbame|desuscríbanme|desuscríbeme|remuévame|remuévanme|quítenos|sáquenos|elimínenos|bórrenos)"
const removing =
  "(quitarme|sacarme|eliminarme|borrarme|retirarme|desuscribirme|excluirme|suprimirme|quitarnos|sacarnos|eliminarnos|borrarnos|removerme)"
const data =
  "(datos|correo|email|e mail|mail|dirección|información|contacto|nombre|número|teléfono|datos personales|cuenta|registro|perfil)"

const forms =
  "(contacte*|contactéis|contactar|contactarme|contactarnos|contactara*|contactase*|escriba*|escribir|escribirme|escribirnos|escribiera*|envíe*|enviar|enviarme|enviarnos|mande*|mandar|mandarme|mandarnos|moleste*|molestar|molestarme|busque*|insista*|insistái*|insistir|acose*|spamee*|recontacte*|mensajee*|fastidie*|joda*|bombardee*|comunique*|comunicar*|hostigue*|hagan spam|hagas spam)"
const erase =
  "(borr*me|elimin*me|quit*me|saqu*me|sac*me|retir*me|suprim*me|exclu*me|desuscr*me|remuev*me|borr*nos|elimin*nos|quit*nos|saqu*nos|retir*nos)"

export const es: OptOutLanguage = {
  script: "latin",
  alone: [
    "darme de baja",
    "dar de baja",
    "darse de baja",
    "deme de baja",
    "cancelar suscripción",
    "cancelar la suscripción",
    "desuscribir",
    "desuscribirme",
    "desuscribirse",
    "no más correos",
    "no más mensajes"
  ],
  aloneInMessage: [
    "baja",
    "stop",
    "alto",
    "pare",
    "paren",
    "para",
    "basta",
    "basta ya",
    "eliminar",
    "borrar",
    "cancelar",
    "de baja"
  ],
  commands: [
    "no (contacten|contacte|escriban|molesten) más",
    `(dejen|deja|dejá|deje|corten|cortá|paren) [ya] (los|las|sus|tus|esos) ${mails}`,
    `(bájenle|bájale|bajale|párenle|páreme|ya bájenle) [ya] (con|al|a los) [el|la|los] (${mails.slice(1, -1)}|spam|mensajes|correos)`,
    "(pongan*|ponga*|incluyan*|inclúyan*|apunten*) ~ lista (negra|robinson|de exclusión)",
    "(sal|salgan|salga|fuera) de mi (bandeja|buzón|correo)",
    `no (me|nos) ${forms} (más|nada|ningún*|nunca|jamás|de nuevo|otra vez|tanto)`,
    `no (me|nos|se|te) (vuelva*|volva*|volviera*|volviese*|siga*|continúe*|ponga*) [a] ${forms}`,
    `no [me|nos] (vuelva*|volva*|volviera*|volver|siga*|continúe*|intente*|trate*) [nunca|más] [a|de] ${forms} [más]`,
    "no insist* [más|$]",
    `(me abst*|se abst*|te abst*|abst*) [de] [volver a|seguir|continuar] ${forms}`,
    `(deje*|deja*|dejá|pare*|pará*|para|cese*|corte*|cortá*|basta|párale*|termine*|dejar*) [ya] [le|la] (de|con) [ya] [estar] ${forms}`,
    `(pár*|par*|corten*|corta*|basta|déjen*|ya estuvo|ya) [le|la] con (sus|tus|los|las|esos|estos|tanto*|el|eso*) ~ ${mails}`,
    `${erase} (de|del|$)`,
    `(me|nos) (quite|quiten|quites|quitéis|quitara|quitaran|quitaras|saque|saquen|saques|sacara|sacaran|elimine|eliminen|elimines|eliminara|eliminaran|borre|borren|borres|borrara|borraran|retire|retiren|retirara|retiraran|excluya|excluyan|desuscriba|desuscriban|suprima|remueva|remuevan) [por favor|ya] (de|del)`,
    `(me|nos) (den|dé|des|diera|dieran|deis) de baja`,
    `(evite|eviten|evita|evitar) [en el futuro|en adelante|por favor] (${infinitive.slice(1, -1)}|contactarme|escribirme|el envío)`,
    `no (me|nos) (hagan|haga|hagas) (más|llegar) [más]`,
    `(olvídese|olvídense|olvidaos|olvídate) de (mí|nosotros|mi)`,
    `(bloqueen|bloquee|anoten|anote) (mi|en su)`,
    `(borre|borra|borren|elimine|elimina|eliminen|quiten|quite) [por favor] (lo|la|los|las|me) (de inmediato|ya|inmediatamente)`,
    `no (me|nos) ${write} [a] [nunca|jamás] (más|nada|ningún*|publicidad|correos|mensajes|spam|nunca|jamás|$)`,
    `no ${write} [por favor] (más|nunca|de nuevo|otra vez|jamás)`,
    `no (me|nos) (vuelva|vuelvas|vuelvan|volváis) [nunca|jamás] a ${infinitive}`,
    `no (vuelva|vuelvas|vuelvan|volváis) [nunca|jamás] a ${infinitive}`,
    `no (se|te) (ponga|pongas|pongan) [más|nunca|nunca más] en contacto`,
    `nunca más (me|nos) ${write}`,
    `(deje|deja|dejen|dejad|pare|para|paren|parad|cese|cesen|termine|terminen|basta) [ya] de ${infinitive}`,
    `(dejar|parar|cesar) [ya] de ${infinitive}`,
    `(dejara|dejaras|dejaran|deje|dejes|dejen|pare|paren|cese|cesen) [ya] de ${infinitive}`,
    `(cese|cesen|detenga|detengan|suspenda|suspendan|cesar) [ya|inmediatamente] [de inmediato] [con] (todo|toda|todos|cualquier|el|los|sus|tus|las|estos|la) [tipo de|envío de|los|las] ${mails}`,
    `${remove} [por favor|ya|inmediatamente] (de|del|ya) [su|sus|tu|tus|la|esta|este|todas|cualquier]`,
    `${removing} [por favor] (de|del) [su|sus|tu|tus|la|esta|este|todas|cualquier]`,
    "(dame|déme|denme|darme|dadme) de baja",
    `(borre|borra|borren|elimine|elimina|eliminen|suprima|supriman|quite|quiten|quita|retire|retiren|destruya|destruyan|borrad|eliminad|saquen|saque|saca) [por favor|inmediatamente|ya|de inmediato] [todos|toda|todo] (mis|mi|nuestros|nuestro|este) ${data}`,
    `(borrar|eliminar|suprimir|quitar|retirar|sacar) [por favor|inmediatamente] [todos|toda] (mis|mi|nuestros|nuestro|este) ${data}`,
    "(déjeme|déjame|déjenme|dejadme|déjenos|déjennos) (en paz|tranquilo|tranquila|tranquilos|de molestar)",
    `(no|ni un|ni un solo|ningún|nada de) (más|mensaje|correo) ${mails}`,
    `(no más|ni un|ni una|ningún) ${mails} [más]`,
    `(abstenerse|absténgase|absténganse|abstente) [en lo sucesivo|en adelante] de [volver a] ${infinitive}`
  ],
  statements: [
    "no (tienen|tiene|tienes) [mi|ningún] (permiso|autorización|consentimiento|derecho) (para|a|de) (usar*|utilizar*|contactar*|escribir*|tratar)",
    `(agradecer*|agradezco|preferir*|prefiero|gustaría|encantaría|pido|rogaría*) [mucho|que] [que] no (me|nos|se|volv*) [volv*|vuelv*] [a] ${forms}`,
    "(agradecer*|gustaría|estaría agradecid*|sería) [bueno|mejor|ideal] (que|si) (dej*|par*|ces*|me elimin*|me borr*|me sac*|me quit*)",
    "(me opongo|nos oponemos|manifiesto mi oposición) [a|al]",
    `(nunca|no|jamás) (autoricé|he autorizado|di|he dado|autorizo|consentí|doy) [el|mi|a|que|ningún|su] [uso|autorización|consentimiento|permiso] [para|de] ~ (correo|datos|contacten|escriban|recibir|contacto|comunicaciones|consentimiento|permiso|usen|usar)`,
    `(preferiría|prefiero|me gustaría|quisiera|quiero|agradecería) [que] (no recibir|no me|dejar de recibir|no volver a recibir|dejaran de|no nos) [volvieran|volvieras|vuelvan] [a] [más|contactaran|escribieran|contactar|escribir|enviaran|molestaran]`,
    `(les|le|os|te) (prohíbo|prohibimos) [que|terminantemente] [a]`,
    `(estoy|estamos) (harto|harta|hartos|cansado|cansada) de (sus|tus|vuestros|estos|tantos|recibir) ${mails}`,
    `no (quiero|deseo|queremos|deseamos|quisiera|me interesa|acepto|autorizo|necesito) (recibir|que me|que nos|ser|seguir|saber|volver a|tener|oír) ~ (más|nada|ningún|contactado|contactada|contactados|contacten|contacte|escriban|escriba|recibiendo|molestado|molestada|${mails.slice(1, -1)})`,
    `no (quiero|deseo|queremos|deseamos) más ${mails}`,
    `(quiero|quisiera|deseo|solicito|pido|queremos|me gustaría|exijo|necesito) [que] [se me|me|ser] (darme|dar|den|dé|eliminado|eliminada|borrado|borrada|desuscribirme|cancelar|quiten|saquen|eliminen|borren|retirado) [de baja|de|mi suscripción|la suscripción]`,
    `(ya) [te|le|les|os] [he|había] (pedí|pedido|dije|dicho|solicité|solicitado|pedimos) [que|varias veces|dos veces] [que] [me|no me|por favor] (dejara|dejaran|dejen|dejes|deje|no|pararan|quitaran|sacaran|eliminaran|borraran|contacten|escriban|escriba)`,
    `(ejerzo|ejercito|ejercer|invoco) [mi|el] derecho (de|al|a)`,
    `(solicito|exijo|pido|requiero|solicitamos) [la|el] (supresión|cancelación|eliminación|borrado|baja) (de) (mis|mi|todos|nuestros|todo)`,
    "(retiro|revoco|retiramos) [expresamente] mi consentimiento"
  ],
  concepts: {
    stop: "(deje* de|deja de|dejar de|dejad de|dejá de|paren de|pare de|para de|parar de|paren con|cesen|cese|cesar|cesad|detengan|detenga|detener|suspendan|suspenda|suspender|interrump*|abst*|corten|finalicen|dejara* de)",
    remove:
      "(saque*|sacar*|sácame|quite*|quitar*|elimine*|eliminar*|borre*|borrar*|retire*|retirar*|suprima*|suprimir*|supresión|cancelación|eliminación|excluya*|excluir*|remover*|remueva*|desuscriba*|desuscribir*|darme de baja|den de baja|dé de baja|desinscr*|depur*)",
    contact:
      "(contacte*|contactéis|contactar|contactarme|contactarnos|contactara*|escriba*|escribir|escribirme|escribirnos|envíe*|enviar|enviarme|enviarnos|mande*|mandar|mandarme|mandarnos|moleste*|molestar|molestarme|busque*|insista*|insistan|insistir|acosar*|spam|joder|jodan|fastidiar*|bombardear*|comunicar*|hostigar*|escribiéndome|contactándome|mandándome|enviándome|molestándome)",
    me: "(me|nos|mí|*arme|*erme|*irme|*arnos|*irnos|*ándome|*iéndome|conmigo|mi correo|mi bandeja|mi buzón|esta dirección|este correo|este número|mi dirección|*anme|*enme)",
    mine: "(mi|mis|nuestro|nuestros|nuestra) (datos|correo electrónico|dirección|información|nombre|número|teléfono|datos personales|cuenta|registro|correo) [personales|de]",
    list: "(lista*|base*|fichero*|sistema*|registro*|boletín*|boletines|newsletter|distribución|crm|contactos|archivos|directorio|campaña*|suscripción|cadena)",
    mails:
      "(correos|mensajes|emails|e mails|mails|comunicaciones|publicidad|spam|ofertas|promociones|boletines|propaganda|propuestas|mensajitos|correspondencia|información comercial)",
    more: "(más|nunca|jamás|nada|de nuevo|otra vez|ningún|ninguna|sus|tus|estos|esos|vuestros|suyos|vuelva*|volver|ustedes|usted|seguir|comunicaciones)",
    want: "(quiero|queremos|deseo|deseamos|quisiera|interesa|acepto|autorizo|necesito|preferi*|prefiero|gustaría|agradec*|intención|consiento|requiero)",
    receive:
      "(recibir|recibiendo|saber|oír|contactado|contactada|contactados|molestado|molestada|tener|leer|ver|que me|que nos|escuchar)",
    reversal:
      "(olvid*|perder*|dude*|duden|dud*|preocup*|problema|molestia|dejes de escribirme cuando|no dej*|no par*|no ces*|equivoqu*|error|anterior|aún no|todavía|llegar|precios|tarifas|não|nao|molesta)"
  },
  doubts: [
    "(tercera|cuarta|quinta|sexta|enésima|décima) vez",
    "(tercer|cuarto|quinto|sexto|enésimo) (correo|mensaje|mail|email)",
    "(reportar|reporto|reportaré|denunciar|denuncio|denunciaré|marcar|marcaré) ~ (spam|acoso)",
    "esto es (spam|acoso)",
    "(váyase|váyanse|vete) (a la mierda|al diablo|a paseo)",
    "no (me|nos) (llame|llames|llamen|telefonee) [más]",
    `no (me|nos) ${write}`,
    "(ya basta|basta ya)",
    "no contactar",
    "no molestar"
  ],
  leadIns: [
    "(sería|serían|serías) tan amable* de",
    "(wey|güey|che|oye|oiga|oigan|mira|mirá|miren|mire|señores|señor|señora|amigo)",
    "hola",
    "buenos días",
    "buenas tardes",
    "no",
    "no gracias",
    "gracias",
    "muchas gracias",
    "y",
    "pero",
    "así que",
    "por lo tanto",
    "por tanto",
    "por eso",
    "entonces",
    "de ahora en adelante",
    "en adelante",
    "en el futuro",
    "a partir de ahora",
    "por última vez",
    "una vez más",
    "ya",
    "también",
    "inmediatamente",
    "de inmediato",
    "(le|les|te|os) (pido|ruego|agradezco|agradecería|solicito|suplico|exijo|pedimos|rogamos|agradeceré) [por favor|encarecidamente|atentamente] [que]",
    "(pido|ruego|agradezco|agradecería|solicito|exijo|pedimos) [por favor] [que]",
    "(podría|podrían|podrías|puede|pueden|puedes|podéis|podríais) [por favor] [usted|ustedes]",
    "(quiero|quisiera|deseo|queremos|quisiéramos|necesito|me gustaría) [pedirle|pedirles|pedirte] [que]",
    "(haga|hagan|haz|hacer) el favor de",
    "(tenga|tengan) la amabilidad de",
    "(sea|sean) tan amable de",
    "(debe|deben|tiene que|tienen que)",
    "(sírvase|sírvanse|procedan a|proceda a)",
    "que",
    "no me interesa",
    "no nos interesa",
    "no estoy interesado",
    "no estoy interesada",
    "(ya) [le|les|te|os] (dije|he dicho|pedí|he pedido) [que]",
    "solo",
    "sólo"
  ],
  pleases: ["por favor", "porfavor", "porfa", "porfis", "plis", "favor de", "se ruega", "[le|les|te|os] ruego [que]"],
  fillers: [
    "(de lo contrario|si no es molestia)",
    "no (quiero|quisiera|pretendo) (molestar*|incomodar*|importunar*|ser pesad*)",
    "ni por (correo|teléfono|email|e mail|whatsapp|linkedin|ningún otro medio|ningún medio)",
    "por ningún (medio|canal|motivo|concepto)",
    "(inmediatamente|encarecidamente|expresamente|formalmente|definitivamente|atentamente|urgentemente|realmente)",
    "de (inmediato|una vez|una buena vez|ahora en adelante|una vez por todas|forma inmediata)",
    "en (adelante|lo sucesivo|el futuro)",
    "a partir de (ahora|hoy)",
    "para siempre",
    "cuanto antes",
    "de una vez [por todas]"
  ],
  denials: ["(no|nunca|jamás)"],
  joins: ["(y|e|pero|así que|porque|o|entonces)"],
  negations: ["(no|nunca|sin|jamás|ni) [me|nos|quiero|hace falta|necesito|hay que|es necesario]"],
  others: [
    "(destinatarios|suscriptores|quien|quién|quienes|quiénes|cómo|por qué|cuando|cuándo|alguien|nadie|la gente|él|ella|ellos|ellas|clientes|usuarios|candidatos|prospectos|algunos|muchos|otros|esposa|marido|mujer)",
    "(ayudamos|permitimos|dejamos|ofrecemos|ayudo)",
    "(mi|nuestro|un|una|nuestra) (jefe|jefa|colega|compañero|compañera|amigo|amiga|socio|socia|esposa)"
  ],
  reports: ["(dijo|dice|dicen|dijeron|pidió|piden|pidieron|escribió|escriben|respondió|asegura|contó|preguntó)"],
  limits: [
    "(por error|por equivocación|accidentalmente)",
    "(antes|hasta|si|salvo|excepto|cuando|mientras|durante|sino|hoy|mañana|actualmente|aquí|ahora mismo|todavía|aún|tan|tanto|temporalmente)",
    "(por ahora|por el momento|de momento|en este momento|este año|este mes|esta semana|este trimestre|este verano|en vez de|en lugar de|a menos que|a no ser)",
    "(por|en|vía|a través de|mediante|al) (linkedin|whatsapp|teléfono|correo|email|e mail|facebook|este medio|este canal|mi móvil|móvil|celular|mi número|sms|telegram|vacaciones)",
    "(en|por|durante) (un|una|dos|tres|cuatro|seis|unos|unas|los próximos|las próximas) (día|días|semana|semanas|mes|meses|año|años)",
    "(sobre|acerca de|respecto a) (esto|este|eso|ese|el tema|este tema)",
    "(los|el) (fin de semana|fines de semana|sábado|domingo|domingos|sábados)"
  ],
  invitations: [
    "(escríbame|escríbeme|escríbanme|escribidme|contácteme|contáctame|contáctenme|llámeme|llámame|llámenme|mándeme|mándame|envíeme|envíame|búsqueme|búsquenme) [mejor] (a|al|en|por|el|la|después|más tarde|mañana|luego|dentro|cuando)",
    "(a|al|en|por) @",
    "(puede|puedes|pueden) (contactarme|escribirme|llamarme)"
  ]
}
