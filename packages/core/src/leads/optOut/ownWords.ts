/** What somebody said in a message themselves: without what they quote, and apart from their signature. */

const wrote =
  /(wrote|schrieb|écrit|escribió|scritto|escreveu|schreef|napisał\w*|написал\p{L}*|пишет|写道|寫道|メッセージ|書きました|كتبت?|skrev|skrev följande)([^:：]{0,120})[:：]\s*$/iu
const original = /^\s*(-{2,}\s*\p{L}[\p{L} ]{3,40}-{2,}|_{10,})\s*$/u
const sender = /^\s*\*?(from|von|de|da|van|od|от|fra|från|发件人|寄件者|差出人|من)\*?\s?[:：]/iu
const head =
  /^\s*\*?(sent|date|subject|to|gesendet|datum|betreff|an|envoyé|objet|à|enviado|fecha|asunto|para|inviato|data|oggetto|a|assunto|verzonden|onderwerp|aan|wysłano|temat|do|отправлено|дата|тема|кому|发送时间|发送|主题|收件人|送信日時|件名|宛先|تاريخ|الموضوع|إلى|sendt|skickat|emne|ämne)\*?\s?[:：]/iu

/** Where the lines of an earlier message begin that are not marked with ">". */
const endOfOwn = (lines: ReadonlyArray<string>): number => {
  const end = lines.findIndex((line, at) => {
    if (original.test(line)) return true
    if (sender.test(line)) return lines.slice(at + 1, at + 4).some((next) => head.test(next))
    const next = lines.slice(at + 1).find((other) => other.trim() !== "")
    return wrote.test(line) && next !== undefined && !/^\s*>/.test(next)
  })
  return end < 0 ? lines.length : end
}

const quotations = [
  /“[^”“]{1,2000}”/gu,
  /„[^“”„]{1,2000}[“”]/gu,
  /«[^»«]{1,2000}»/gu,
  /「[^」]{1,2000}」/gu,
  /『[^』]{1,2000}』/gu,
  /"[^"\n]{1,2000}"/gu,
  /(?<![\p{L}\p{N}])['‘][^'‘’\n]{3,300}['’](?![\p{L}\p{N}])/gu
]

/** One or two words in quotation marks are a way to stress them. */
const isStress = (text: string): boolean => /^\P{L}*\p{Script=Latin}+( \p{Script=Latin}+)?\P{L}*$/u.test(text)

const unquoted = (text: string): string => {
  const rest = quotations.reduce(
    (left, quotation) => left.replaceAll(quotation, (said) => (isStress(said) ? said : " ¤ ")),
    text
  )
  // Who puts everything into quotation marks says it.
  return /\p{L}/u.test(rest) ? rest : text
}

const closing =
  /^\s*((with )?(best|kind|warm|many)?\s*(regards|wishes)|sincerely( yours)?|yours (sincerely|faithfully|truly)|(mit )?(freundlichen|besten|herzlichen|vielen) grüßen?|(viele|beste|liebe) grüße|mfg|(bien )?cordialement|bien à vous|salutations|(un )?saludos?( cordial(es)?)?|atentamente|(cordiali|distinti) saluti|atenciosamente|cumprimentos|met vriendelijke groeten?|pozdrawiam|z poważaniem|с уважением|此致|敬礼|よろしくお願い\p{L}*|敬具|مع (أطيب )?(تحياتي|التحية)|(med )?vänliga hälsningar|(med )?venlig hilsen|(med )?vennlig hilsen)\s*[,.،。!]?\s*$/iu
const postscript = /^\s*p\.?\s?s\b/iu

/** The message itself, and what follows its closing formula: some people go on writing there. */
export const ownWords = (text: string): { readonly body: string; readonly signature: string } => {
  const all = text.replaceAll(/\r\n?/g, "\n").split("\n")
  const lines = all.slice(0, endOfOwn(all)).filter((line) => !/^\s*[>|]/.test(line) && !wrote.test(line))
  const delimiter = lines.findIndex((line) => /^\s*(--|—)\s*$/.test(line))
  const own = delimiter < 0 ? lines : lines.slice(0, delimiter)
  const end = own.findIndex((line, at) => at > 0 && closing.test(line))
  if (end < 0) return { body: unquoted(own.join("\n")), signature: "" }
  const after = own.slice(end + 1)
  const more = after.findIndex((line) => postscript.test(line))
  const postscripts = more < 0 ? [] : after.slice(more)
  return {
    body: unquoted([...own.slice(0, end), ...postscripts].join("\n")),
    signature: unquoted((more < 0 ? after : after.slice(0, more)).join("\n"))
  }
}
