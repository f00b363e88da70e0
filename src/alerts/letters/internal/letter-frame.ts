/**
 * Letters as mail programs can show them: tables, inline styles, no remote content, and a plain-text alternative.
 */
export const escapeHtml = (words: string): string =>
  words.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const textColour = '#1c2321'
export const mutedColour = '#5c6864'
export const ruleColour = '#dfe4e1'
export const green = '#1f7a4d'
export const red = '#b3372f'

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

export const paragraph = (html: string, colour = textColour): string =>
  `<p style="margin:0 0 16px;font-size:15px;line-height:22px;color:${colour}">${html}</p>`

export const button = (label: string, href: string): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px"><tr>` +
  `<td style="background:${green};border-radius:6px"><a href="${escapeHtml(href)}" style="display:inline-block;` +
  `padding:10px 18px;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></td>` +
  `</tr></table>`

interface LetterFrame {
  title: string
  /** Shown beside the subject in a list of letters. */
  preview: string
  body: string
  foot: string
}

export const inLetterFrame = ({ title, preview, body, foot }: LetterFrame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${escapeHtml(title)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f6f5;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f6f5"><tr>
<td align="center" style="padding:24px 12px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;background:#ffffff;border:1px solid ${ruleColour};border-radius:8px"><tr>
<td style="padding:28px 28px 12px;${font}">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;color:${textColour}">${escapeHtml(title)}</h1>
${body}
</td></tr><tr>
<td style="padding:12px 28px 24px;border-top:1px solid ${ruleColour};font-size:12px;line-height:18px;color:${mutedColour};${font}">
${foot}
</td></tr></table>
</td></tr></table>
</body>
</html>
`

export const linkTo = (label: string, href: string): string =>
  `<a href="${escapeHtml(href)}" style="color:${mutedColour}">${escapeHtml(label)}</a>`
