import { escapeXml } from '#posts/xml'
import { letterDirection, letterWords } from '../../words'

/** The names of a list and its site, as a subscriber reads them. */
export interface ListNames {
  list: string
  site: string
  language: string
}

/** The e-mail that asks the owner of an address whether to subscribe it. */
export function confirmationLetter(
  { list, site, language }: ListNames,
  link: string,
): { subject: string; text: string; html: string } {
  const words = letterWords(language)
  const ask = words.confirmAsk(list, site)
  const title = words.confirmSubject(list)
  const style = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2321"
  return {
    subject: title,
    text: `${[ask, `${words.confirm}: ${link}`, words.confirmOtherwise].join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="${escapeXml(language)}" dir="${letterDirection(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeXml(title)}</title></head>
<body style="margin:0;padding:24px 16px;background:#ffffff;${escapeXml(style)}">
<p style="margin:0 0 16px;font-size:16px;line-height:24px">${escapeXml(ask)}</p>
<p style="margin:0 0 24px"><a href="${escapeXml(link)}" style="display:inline-block;padding:10px 18px;background:#1f7a4d;border-radius:6px;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none">${escapeXml(words.confirm)}</a></p>
<p style="margin:0;font-size:13px;line-height:20px;color:#5c6864">${escapeXml(words.confirmOtherwise)}</p>
</body></html>
`,
  }
}
