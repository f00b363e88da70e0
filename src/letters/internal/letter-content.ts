import { readMarkdown } from '#posts/markdown'
import { addressOf, type Picture, type Post } from '#posts/post'
import type { Site } from '#posts/site'
import { accentsOf, pageBackgrounds } from '#posts/site-accents'
import { escapeXml } from '#posts/xml'
import { toHtml } from 'hast-util-to-html'
import { letterDirection, letterWords } from '../words'
import { linkMark, mailTree } from './mail-tree'
import { mailText } from './mail-text'

/** A letter as it is kept from the order to the last delivery, whatever becomes of its post. */
export interface PostLetterContent {
  title: string
  /** Subject lines by their keys, 'a' to 'd'. */
  subjects: readonly { key: string; text: string }[]
  /** Shown beside the subject in a list of e-mails. */
  preview: string
  language: string
  /** Origin of the site, for links of the letter. */
  origin: string
  site: string
  list: string
  html: string
  text: string
  /** The addresses that the numbers between marks stand for. */
  links: readonly string[]
  postalAddress: string
  /** Absent in letters that were ordered before there was one. */
  look?: LetterLook
}

/** The dress of the site in a letter. */
interface LetterLook {
  /** The address of the logo; '' where there is none that mail programs show. */
  logo: string
  accent: string
  accentDark: string
  typeface: Site['typeface']
}

interface ContentInput {
  post: Pick<Post, 'kind' | 'slug' | 'title' | 'body' | 'cover'>
  site: Site
  list: { key: string; name: string }
  subjects: readonly string[]
  preview: string
  postalAddress: string
}

const subjectKeys = ['a', 'b', 'c', 'd']

/** Renders a post for a letter, with a numbered mark in place of each link. */
export function letterContent(input: ContentInput): PostLetterContent {
  const { post, site, list } = input
  const campaign = { list: list.key, letter: post.slug || 'home' }
  const links: string[] = []
  const linkTo = (address: string): string => {
    const url = URL.parse(address)
    if (!url || !/^https?:$/.test(url.protocol)) return address
    const known = withCampaign(url, site.origin, campaign)
    const index = links.includes(known) ? links.indexOf(known) : links.push(known) - 1
    return `${linkMark}${index}${linkMark}`
  }
  const words = letterWords(site.language)
  const postAddress = site.origin + addressOf(post)
  const look = lookOf(site)
  const options = {
    origin: site.origin,
    postAddress,
    seeOnline: words.seeOnline,
    accent: look.accent,
    linkTo,
  }
  const online = linkTo(postAddress)
  const tree = mailTree(readMarkdown(post.body).tree, options)
  return {
    title: post.title,
    subjects: input.subjects.map((text, index) => ({ key: subjectKeys[index] ?? '', text })),
    preview: input.preview,
    language: site.language,
    origin: site.origin,
    site: site.name,
    list: list.name,
    html: [
      `<p style="margin:0 0 24px;font-size:13px"><a href="${online}" style="color:#5c6864">${escapeXml(words.readOnline)}</a></p>`,
      ...coverOf(post.cover, site.origin),
      toHtml({ type: 'root', children: tree }),
    ].join('\n'),
    text: `${words.readOnline}: ${online}\n\n${mailText(tree)}`,
    links,
    postalAddress: input.postalAddress,
    look,
  }
}

function lookOf({ accent, accentDark, logo, origin, typeface }: Site): LetterLook {
  const { light, dark } = accentsOf({ accent, accentDark })
  const address = logo === '' || isDrawing(logo) ? '' : (URL.parse(logo, `${origin}/`)?.href ?? '')
  return { logo: address, accent: light, accentDark: dark, typeface }
}

/** Mail programs show no SVG. */
const isDrawing = (address: string): boolean => /\.svg(?:[?#]|$)/i.test(address)

/** The picture above the text, as wide as the letter. */
function coverOf(cover: Picture | undefined, origin: string): string[] {
  const address = cover && URL.parse(cover.address, `${origin}/`)?.href
  if (!cover || address === undefined) return []
  const style =
    'display:block;width:100%;max-width:600px;height:auto;border:0;border-radius:6px;margin:0 0 24px'
  return [`<img src="${escapeXml(address)}" alt="${escapeXml(cover.alt)}" width="600" style="${style}">`]
}

/** Links to the site itself say where the visit comes from. */
function withCampaign(url: URL, origin: string, { list, letter }: { list: string; letter: string }): string {
  if (url.origin !== origin) return url.href
  const marked = new URL(url)
  if (!marked.searchParams.has('utm_source')) {
    marked.searchParams.set('utm_source', list)
    marked.searchParams.set('utm_medium', 'email')
    marked.searchParams.set('utm_campaign', letter)
  }
  return marked.href
}

interface RecipientLinks {
  unsubscribe: string
  click: (link: number) => string
}

export interface ReadyLetter {
  subject: string
  text: string
  html: string
  unsubscribe: string
}

/** The letter to one recipient: with their own links. */
export function letterTo(
  content: PostLetterContent,
  variant: string,
  { unsubscribe, click }: RecipientLinks,
): ReadyLetter {
  const words = letterWords(content.language)
  const subject = content.subjects.find(({ key }) => key === variant) ?? content.subjects[0]
  const withLinks = (text: string): string =>
    text.replaceAll(marks, (_, index: string) => click(Number(index)))
  const why = words.why(content.list, content.site)
  const foot = [why, content.postalAddress].filter((line) => line !== '')
  return {
    subject: subject?.text ?? content.title,
    text: `${content.title}\n\n${withLinks(content.text)}\n\n-- \n${[...foot, `${words.unsubscribe}: ${unsubscribe}`].join('\n')}\n`,
    html: frame(content, {
      body: withLinks(content.html),
      foot: `${foot.map((line) => escapeXml(line).replaceAll('\n', '<br>')).join('<br>')}<br><a href="${escapeXml(unsubscribe)}" style="color:#5c6864">${escapeXml(words.unsubscribe)}</a>`,
    }),
    unsubscribe,
  }
}

const marks = new RegExp(`${linkMark}(\\d+)${linkMark}`, 'gu')

const fonts: Readonly<Record<Site['typeface'], string>> = {
  sans: "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
  serif: "font-family:Georgia,'Times New Roman',serif",
}

/** The name of the site, or its logo. */
function signOf({ site, look }: PostLetterContent): string {
  if (!look) return ''
  const name = escapeXml(site)
  const sign = look.logo
    ? `<img src="${escapeXml(look.logo)}" alt="${name}" height="32" style="display:block;height:32px;width:auto;border:0">`
    : name
  return `<p style="margin:0 0 24px;padding:0 0 16px;border-bottom:3px solid ${look.accent};font-size:16px;line-height:24px;font-weight:600">${sign}</p>\n`
}

/** Replaces the colours of the inline styles, in the programs that read style sheets and are dark. */
function darkStyles(look: LetterLook): string {
  const rules = [
    `body,td{background:${pageBackgrounds.dark}!important}`,
    'td{color:#efece5!important}',
    '[style*="#5c6864"]{color:#a9a49b!important}',
    '[style*="#f4f6f5"]{background:#211f1c!important}',
    '[style*="#dfe4e1"]{border-color:#3b3833!important}',
    `[style*="color:${look.accent}"]{color:${look.accentDark}!important}`,
    `[style*="solid ${look.accent}"]{border-color:${look.accentDark}!important}`,
  ]
  return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>\n`
}

/** Tables and inline styles, as mail programs need them. Pictures come from the site alone. */
function frame(content: PostLetterContent, { body, foot }: { body: string; foot: string }): string {
  const { title, preview, language, look } = content
  const font = fonts[look?.typeface ?? 'sans']
  return `<!doctype html>
<html lang="${escapeXml(language)}" dir="${letterDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light${look ? ' dark' : ''}">
<title>${escapeXml(title)}</title>
${look ? darkStyles(look) : ''}</head>
<body style="margin:0;padding:0;background:#ffffff;${font}">
<div style="display:none;max-height:0;overflow:hidden">${escapeXml(preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 16px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px"><tr><td dir="auto" style="color:#1c2321;${font}">
${signOf(content)}<h1 style="margin:0 0 8px;font-size:26px;line-height:34px">${escapeXml(title)}</h1>
${body}
</td></tr><tr><td style="padding:24px 0 0;border-top:1px solid #dfe4e1;font-size:12px;line-height:18px;color:#5c6864;${font}">
${foot}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}
