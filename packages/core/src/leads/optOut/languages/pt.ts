/** How opt-outs are worded in Portuguese. */
import type { OptOutLanguage } from "../OptOutLanguage.ts"

const write =
  "(contacte|contactes|contactem|contate|contates|contatem|escreva|escrevas|escrevam|envie|envies|enviem|mande|mandes|mandem|incomode|incomodes|incomodem|perturbe|perturbem|procure|procurem|importune|importunem|aborde|abordem|mensageie)"
const infinitive =
  "(contactar|contatar|escrever|enviar|mandar|incomodar|perturbar|procurar|importunar|abordar|spammar|contactar me|contatar me|escrever me|enviar me|mandar me|incomodar me|entrar em contato|entrar em contacto|encher|spam)"
const mails =
  "(mensagens|mensagem|e mails|emails|email|e mail|contactos|contatos|contacto|contato|comunicações|comunicação|publicidade|propaganda|spam|newsletters|newsletter|ofertas|correspondência|notícias|informações|mails)"
const remove =
  "(retire|retirem|remova|removam|tire|tirem|exclua|excluam|apague|apaguem|elimine|eliminem|descadastre|descadastrem|risque|risquem|delete|deletem|cancele|cancelem)"
const data =
  "(dados|email|e mail|endereço|contacto|contato|nome|número|cadastro|informações|telefone|registo|registro|perfil|inscrição|dados pessoais)"

const forms =
  "(contacte*|contate*|contactar|contatar|contactass*|contatass*|escreva*|escrever|escrevess*|envie*|enviar|enviass*|mande*|mandar|manda|mandass*|incomode*|incomodar|incomodass*|perturbe*|perturbar|procure*|procurar|importune*|importunar|aborde*|abordar|mensag*|encha*|encher|spam*|insista*|insistir|bombarde*|chateie*|chatear|comunique*|prospect*)"

export const pt: OptOutLanguage = {
  script: "latin",
  alone: [
    "[me] (descadastr*|desinscrev*) [me|já]",
    "descadastrar",
    "descadastre me",
    "me descadastre",
    "cancelar inscrição",
    "cancelar a inscrição",
    "cancelar subscrição",
    "cancelar a subscrição",
    "cancelar assinatura",
    "anular subscrição",
    "quero sair",
    "remova me",
    "retire me",
    "me remova",
    "me tire",
    "desinscrever"
  ],
  aloneInMessage: [
    "(pare|parem|para|chega) com isso",
    "remover",
    "stop",
    "pare",
    "parem",
    "sair",
    "cancelar",
    "chega",
    "basta",
    "apagar",
    "excluir"
  ],
  commands: [
    "(me|nos) (tire*|tira|remova*|retire*|exclua*|apague*) (daí|daqui|disso|dessa|desta)",
    "(larga|largue|larguem|sai|saiam) (do|de) (meu pé|mim)",
    "(sai|saia|saiam|fora) da minha (caixa|vida)",
    `(não|nao|ñ|n) (me|nos|mais|se|voltem|volte|voltes) [mais|me|nos] ${forms} (mais|nada|de novo|novamente|nunca|nenhum*|outra vez)`,
    `(não|nao|ñ) ${forms} (me|nos|mais) [mais|nunca] [${mails.slice(1, -1)}|de novo|novamente|$]`,
    `(não|nao) [me|nos] (volte|voltem|voltes|voltar|voltass*|torne*|tornar|continue*|continuar|fique*) [mais] [a|me|nos] [me|nos] ${forms}`,
    `(pare*|para|deixe*|deixa|cesse*|chega|parar|deixar|evite*|abstenh*|basta|se abstenh*) [já|logo] [se] (de|com|em) [ficar|estar] [me|nos|a] (${forms.slice(1, -1)}|encaminh*|dispar*)`,
    "(apag*|elimin*|exclu*|remov*|retir*|tir*|delet*|descadastr*|desinscrev*|risqu*|cancel*) [todos|todas|tudo] [os|as|o|a] (me|nos|meu*|minha*|nosso*|este|esse|@) ~ (da|do|das|dos|de|desta*|dessa*|deste*|desse*)",
    `(apag*|elimin*|exclu*|remov*|delet*) [todos|todas|tudo] [os|as|o|a] (meu*|minha*) ${data}`,
    "(remov*|retir*|apag*|elimin*|exclu*|tir*|desinscrev*|descadastr*) (me|nos) $",
    `(parem|pare|para|parar|chega|deixem|deixe) [já] (de|com) (me|mandar|enviar|escrever|encher|contactar|contatar|incomodar|ligar) [me|mandar|enviar|escrever|encher|contactar|contatar|incomodar|mensagem|email|mensagens|emails]`,
    `(evite|evitem|evitar) [futuramente|por favor] (me contatar|contactar me|o envio|enviar|novos|futuros|de me)`,
    `(esqueçam|esqueça) [de] (mim|nós|o meu|meu)`,
    `não (me|nos) (façam|faça) (chegar)`,
    `não quero que (me|nos|vocês) ~ (contactem|contatem|escrevam|enviem|mandem)`,
    `não (me|nos) ${write} [nunca|por favor|a mim] (mais|nada|de novo|novamente|nenhuma|nenhum|outra vez)`,
    `não (me|nos) (incomode|incomodem|perturbe|perturbem|procure|procurem|importune|importunem)`,
    `não (entre|entrem) [nunca|por favor] (mais|novamente|de novo) em (contato|contacto)`,
    `não (volte|voltem|voltes|torne|tornem) [nunca|mais] a ${infinitive}`,
    `não (me|nos) (volte|voltem) a ${infinitive}`,
    `(nunca mais|jamais) (me|nos) ${write}`,
    `(pare|parem|deixe|deixem|cesse|cessem|chega|parar|deixar) [já|imediatamente] de ${infinitive} [me|nos]`,
    `(pare|parem|chega|cesse|cessem|parar|cessar|basta|interrompam|interrompa|suspendam|suspenda|parem já) [já|imediatamente] (com|de|todos|todas|o|a|os|as|qualquer|quaisquer|todo) [os|as|essas|esses|estas|estes|suas|seus|envio de|tipo de|o envio de|o] ${mails}`,
    `(me|nos) (${remove.slice(1, -1)}|tira|apaga|exclui|deleta|risca) [por favor|já|imediatamente] (da|do|das|dos|de|desta|dessa|destas|dessas|deste|desse|desses|destes)`,
    `(me|nos) (retirar|remover|tirar|excluir|apagar|eliminar|descadastrar|retirarem|removerem|tirarem|deletar) [por favor|já] (da|do|das|dos|de|desta|dessa|destas|dessas|deste|desse|desses|destes)`,
    `(apagar|eliminar|excluir|remover|retirar|deletar|cancelar) [por favor|imediatamente] [todos] [os|o|a] (meus|meu|minha|nossos|nosso|este) ${data}`,
    "(deixe|deixem|deixa) (me|nos) [ficar] (em paz|sossegado|sossegada|tranquilo|tranquila)",
    "(me|nos) (deixe|deixem|deixa) (em paz|sossegado|quieto|quieta|tranquilo|tranquila)",
    `(sem|nada de|nenhuma|nenhum) (mais|outra|outro) ${mails}`,
    `(não|sem) mais ${mails}`,
    `(abster se|abstenham se|abstenha se|se abster) [futuramente] de [me|nos] ${infinitive}`,
    "(esqueça|esqueçam|esquece) (me|de mim)",
    "(me|nos) (esqueça|esqueçam|esquece)",
    `não insistam [mais]`
  ],
  statements: [
    "não (têm|tem) [a minha|minha] (autorização|permissão|consentimento|direito) (para|de) (usar*|utilizar*|contactar*|contatar*|enviar*|tratar)",
    "(não|nunca) (autorizo|autorizamos|autorizei|consinto|aceito) (o|a) (envio|uso|utilização|contacto|contato|recebimento)",
    `(agrade*|gostar*|prefer*|apreci*|peço|pedia|queria|quero|grat*|ideal seria) [lhe|lhes|vos|muito] [que|se] não (me|nos|volt*|mais|seja|fosse|ser) [volt*|mais] [a] [me] ${forms}`,
    "(agrade*|gostar*|seria) [bom|ótimo|melhor|grat*] (que|se) (deix*|parass*|parem|me retir*|me remov*|me tir*|me exclu*|cess*)",
    "(me oponho|oponho me|manifesto [minha] oposição) [a|ao|à]",
    `(gostaria|queria|preferia|preferiria|prefiro|quero|gostava|gostaríamos|agradeceria|desejo) [de|que] (não|deixar de) [me|ser|mais] (receber|ser|mais|contatassem|contactassem|enviassem|mandassem|contactado|contatado|contactada|contatada|recebendo)`,
    `(nunca|não) (autorizei|autorizo|dei|consenti|dou) [o|a|minha|qualquer|meu|nenhuma] [uso|autorização|consentimento|permissão] [do|para|de] ~ (email|e mail|dados|contato|contacto|consentimento|autorização|receber|permissão|contactarem|usarem)`,
    `(proíbo|proibimos) (vos|os|lhe|lhes|o|vocês) [de|que]`,
    `(estou|estamos) (farto|farta|cansado|cansada|fartos) (de|das|dos|destas|dessas) (receber|suas|vossas|mensagens|emails|e mails|estas|essas|seus)`,
    `não (quero|desejo|queremos|desejamos) (mais|receber mais|nenhuma|nenhum) ${mails}`,
    `não (quero|desejo) (ser|voltar a ser) (contactado|contactada|contatado|contatada|incomodado|abordado)`,
    `(prefiro|preferia|preferiria) (não receber|não ser|que não me)`,
    `(quero|gostaria de|desejo|queria|queremos|solicito|peço para|peço) [que] [ser|me] (sair|cancelar|descadastrar|descadastrado|descadastrada|removido|removida|retirado|retirada|excluído|excluída|desinscrever|descadastrem|removam|retirem|tirem|excluam) [me|da|do|de|a|minha]`,
    `(já) [lhe|lhes|te|vos|tinha] (pedi|pedimos|disse|solicitei|avisei|falei) [várias vezes|duas vezes|mais de uma vez|três vezes] (para|que|a) [me|vocês|que] [não|me|pararem|parem] (não|me|pararem|parem|escreverem|removerem|retirarem|tirarem|contactarem|contatarem|deixarem)`,
    `(solicito|exijo|peço|requeiro|solicitamos|quero) [a] [imediata] (exclusão|eliminação|remoção|apagamento|supressão|cancelamento) [imediata] (dos|de|do|da) [todos os] [meus|meu|todos|minha]`,
    "(oponho me|me oponho|opomo nos) [expressamente] (ao|à|a)",
    "(retiro|revogo|retiramos) [expressamente] [o] meu consentimento",
    "exerço [o] [meu] direito (de|ao|à)"
  ],
  concepts: {
    stop: "(pare de|parem de|parar de|parassem de|para de|chega de|cesse*|cessar|deixe* de|deixar de|deixa de|interromp*|suspend*|abstenh*|abster|encerrem|parem com)",
    remove:
      "(tirar*|tire|tirem|tira|remov*|exclua*|excluir*|retire*|retirar*|apague*|apagar*|elimine*|eliminar*|delete*|descadastr*|desinscrev*|risqu*|exclusão|remoção|eliminação|apagassem|removessem|tirassem|excluíssem|retirassem)",
    contact:
      "(contacte*|contate*|contactar|contatar|escrever|escreva*|envie*|enviar|mande*|mandar|manda|incomode*|incomodar|perturbar|perturbe*|procurar|procure*|importunar|abordar|encher|insistir|spam|contactassem|enviassem|contacto|contato|encaminhar|disparar|enviando|mandando)",
    me: "(me|nos|mim|comigo|connosco|conosco|este email|este e mail|este número|este endereço|tirar me|remover me|retirar me|minha caixa)",
    mine: "(meu|meus|minha|minhas|nosso|nossos) (dados|email|e mail|endereço|nome|número|cadastro|informações|telefone|registo|registro|perfil|inscrição|dados pessoais|contacto|contato)",
    list: "(lista*|base*|sistema*|banco de dados|bancos de dados|ficheiro*|mailing*|newsletter*|cadastro*|crm|contactos|contatos|distribuição|registos|registros|arquivo*|campanha*|recebimento)",
    mails:
      "(mensagens|e mails|emails|mails|comunicações|publicidade|propaganda|spam|newsletter*|ofertas|contactos|contatos|mensagem|comunicação|e mail|email|propostas|contacto|contato)",
    more: "(mais|nunca|jamais|nada|de novo|novamente|nenhum*|outra vez|vossos|vossas|seus|suas|esses|essas|desses|dessas|estes|estas|qualquer|quaisquer|todos|todas|tudo|vocês|voltar)",
    want: "(quero|queremos|desejo|desejamos|pretendo|gostaria|gostava|aceito|autorizo|autorizei|preciso|interesse|agrade*|prefer*|peço|pedimos|solicito)",
    receive:
      "(receber|recebendo|recebimento|contactado|contactada|contatado|contatada|ouvir|saber|ver|ler|incomodado|incomodada|que me|ter)",
    reversal:
      "(perder|esque*|hesit*|preocup*|problema|imagina|incomoda não|não pare*|não deixe*|errado|errada|anterior|ainda|lembr*|depois da|preços|tabela|incomoda)"
  },
  doubts: [
    "(terceira|quarta|quinta|sexta|enésima|décima|milésima) vez",
    "(terceiro|quarto|quinto|sexto|enésimo) (email|e mail|contato|contacto)",
    "(denunciar|denuncio|denunciarei|marcar|reportar|reportarei) ~ (spam|assédio)",
    "isto é (spam|assédio)",
    "isso é (spam|assédio)",
    "(vá|vai|vão) (à merda|pro inferno|para o inferno|embora|se lixar)",
    "não (me|nos) (ligue|liguem|telefone|telefonem|liga) [mais]",
    `não (me|nos) ${write}`,
    `não ${write} me`,
    "não contactar",
    "não contatar"
  ],
  leadIns: [
    "(moço|moça|cara|mano|gente|galera|amigo|amiga|olhe|olha|senhores|senhor|senhora|pessoal)",
    "vê se",
    "vê lá se",
    "vocês",
    "você",
    "oi",
    "olá",
    "bom dia",
    "não",
    "não obrigado",
    "não obrigada",
    "obrigado",
    "obrigada",
    "e",
    "mas",
    "então",
    "portanto",
    "por isso",
    "logo",
    "agora",
    "a partir de agora",
    "doravante",
    "de agora em diante",
    "no futuro",
    "futuramente",
    "pela última vez",
    "mais uma vez",
    "já",
    "imediatamente",
    "também",
    "(peço|pedimos|solicito|solicitamos|agradeço|agradecia|agradeceria|exijo|rogo|gostaria) [lhe|lhes|vos|por favor|gentilmente|encarecidamente|a gentileza de|de pedir] [que|para|a|de]",
    "(pode|podem|poderia|poderiam|podes|podia|podiam|consegue|você pode|vocês podem) [por favor|por gentileza]",
    "(quero|queria|gostaria|queremos|preciso|gostava) [de] [pedir] [que|para]",
    "(devem|deve|têm de|tem de|tem que)",
    "(favor|queira|queiram|façam o favor de|faça o favor de|é favor)",
    "que",
    "para",
    "a",
    "não tenho interesse",
    "não estou interessado",
    "não estou interessada",
    "não me interessa",
    "só"
  ],
  pleases: ["por favor", "por gentileza", "favor", "pfv", "pf", "se faz favor", "gentilmente"],
  fillers: [
    "caso contrário",
    "não (quero|queria) (incomodar*|ser chat*|atrapalhar*)",
    "pelo amor de deus",
    "nem (por|pelo|via) (email|e mail|telefone|whatsapp|linkedin|qualquer outro meio)",
    "de forma alguma",
    "por nenhum meio",
    "(imediatamente|encarecidamente|expressamente|formalmente|definitivamente|urgentemente|realmente|doravante|futuramente|gentilmente)",
    "de (imediato|vez|agora em diante|uma vez por todas|uma vez)",
    "no futuro",
    "a partir de (agora|hoje)",
    "para sempre",
    "o quanto antes",
    "o mais rápido possível"
  ],
  denials: ["não", "nunca"],
  joins: ["(e|mas|então|porque|ou|portanto|por isso)"],
  negations: ["(não|nunca|sem|jamais|nem) [me|quero|precisa|precisam|é preciso|é necessário|iria]"],
  others: [
    "(destinatários|subscritores|quem|como|por que|porque|porquê|quando|alguém|ninguém|pessoas|gente|ele|ela|eles|elas|clientes|usuários|utilizadores|candidatos|alguns|muitos|outros|esposa|marido|mulher)",
    "(ajudamos|permitimos|deixamos|oferecemos|ajudo)",
    "(meu|minha|um|uma|nosso|nossa) (chefe|colega|amigo|amiga|sócio|sócia|patrão|cliente)"
  ],
  reports: ["(disse que|diz|dizem|disseram|pediu|pedem|pediram|escreveu|respondeu|afirma|contou|perguntou|mandou)"],
  limits: [
    "(por engano|por erro|sem querer)",
    "(antes|até|se|caso|salvo|exceto|excepto|quando|enquanto|durante|hoje|amanhã|atualmente|aqui|agora mesmo|ainda|tão|temporariamente|mas sim)",
    "(por enquanto|por agora|no momento|neste momento|este ano|este mês|esta semana|este trimestre|neste ano|a menos que|a não ser|em vez de|ao invés|este verão)",
    "(pelo|no|por|via|ao|para o|através do|na) (linkedin|whatsapp|telefone|email|e mail|facebook|celular|telemóvel|meu celular|meu telemóvel|este canal|meu número|sms|telegram|fim de semana)",
    "(por|durante|em|nos|nas) (um|uma|dois|duas|três|quatro|seis|alguns|algumas|próximos|próximas) (dia|dias|semana|semanas|mês|meses|ano|anos)",
    "(sobre|a respeito|acerca) (isso|isto|disso|disto|este|esse|desse|deste)"
  ],
  invitations: [
    "(escreva|escrevam|contacte|contate|contactem|ligue|liguem|fale|falem|mande|envie|procure) [me|comigo|nos] [antes|de novo|novamente] (para|pelo|por|ao|em|depois|na|no|via|mais tarde|segunda|terça|quarta|quinta|sexta|amanhã)",
    "(me) (escreva|contacte|contate|ligue|mande|envie|procure) (para|pelo|por|ao|em|depois|na|no|via|mais tarde|segunda|terça|quarta|quinta|sexta|amanhã)",
    "(para|em|no|ao|pelo) @",
    "(pode|podem) me (ligar|contatar|contactar|escrever)"
  ]
}
