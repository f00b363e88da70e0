import type { Finding, FindingText, WeeklyFindings } from '#findings/finding'
import type { ReportFigure, ReportFigureList, ReportFigures } from '../../report-content'
import {
  button,
  escapeHtml,
  inLetterFrame,
  green,
  textColour,
  ruleColour,
  linkTo,
  paragraph,
  mutedColour,
  red,
} from '../internal/letter-frame'
import type { LetterUrls, LetterContent } from '../internal/letter'
import type { ReportMessage } from './message'

const tones = { good: green, bad: red, neither: mutedColour } as const

export function reportLetter(
  { name, project, figures }: ReportMessage,
  { origin, link }: LetterUrls,
): LetterContent {
  const { period, before } = figures
  const address = `${origin}/studio/${project.slug}/web`
  const intro = `${project.name}, ${period}, compared with ${before}. Time zone: ${project.timeZone}.`
  const home = `${origin}/studio/${project.slug}`
  const { findings } = figures
  return {
    subject: `${name}: ${period}`,
    text: [
      `${name}\n${intro}`,
      ...(findings ? findingsText(findings, home) : []),
      figures.figures.map(figureText).join('\n'),
      ...figures.lists.map(listText),
      ...figures.missing.map(({ title, why }) => `${title}: ${why}`),
      `Open in Tilth: ${address}`,
      `Unsubscribe: ${link}`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    html: inLetterFrame({
      title: name,
      preview: previewOf(figures),
      body: [
        paragraph(escapeHtml(intro), mutedColour),
        ...(findings ? findingsHtml(findings, home) : []),
        figureTable(figures.figures),
        ...figures.lists.map(listTable),
        ...figures.missing.map(({ title, why }) =>
          paragraph(`<strong>${escapeHtml(title)}</strong>: ${escapeHtml(why)}`),
        ),
        button('Open in Tilth', address),
      ].join(''),
      foot: `You receive this because a member of ${escapeHtml(project.name)} added you to this report. ${linkTo('Unsubscribe', link)}`,
    }),
    unsubscribe: link,
  }
}

function previewOf({ findings, figures, period }: ReportFigures): string {
  const [finding] = findings?.findings ?? []
  if (finding) return plainText(finding.headline)
  const [first] = figures
  return first ? `${first.label} ${first.value}${first.change ? ` (${first.change})` : ''}` : period
}

const plainText = (text: FindingText): string =>
  text.map((part) => (typeof part === 'string' ? part : part.name)).join('')

const htmlOf = (text: FindingText): string =>
  text
    .map((part) =>
      typeof part === 'string' ? escapeHtml(part) : `<strong>${escapeHtml(part.name)}</strong>`,
    )
    .join('')

const addressOf = ({ action }: Finding, home: string): string => `${home}/${action.path}`

function findingsText({ findings, none, compared }: WeeklyFindings, home: string): string[] {
  if (findings.length === 0) return [`${none}.\n${compared}`]
  return findings.map((finding) =>
    [
      plainText(finding.headline),
      finding.reason,
      `${finding.action.label}: ${addressOf(finding, home)}`,
    ].join('\n'),
  )
}

function findingsHtml({ findings, none, compared }: WeeklyFindings, home: string): string[] {
  if (findings.length === 0) return [paragraph(`${escapeHtml(none)}.<br>${muted(compared)}`)]
  return findings.map((finding) =>
    paragraph(
      `${htmlOf(finding.headline)}<br>${muted(finding.reason)}<br>` +
        linkTo(finding.action.label, addressOf(finding, home)),
    ),
  )
}

const muted = (words: string): string =>
  `<span style="color:${mutedColour};font-size:14px">${escapeHtml(words)}</span>`

const figureText = ({ label, value, change }: ReportFigure): string =>
  `${label}: ${value}${change ? ` (${change})` : ''}`

const listText = ({ title, rows }: ReportFigureList): string =>
  [
    title,
    ...rows.map(({ label, value, change }) => `  ${label}: ${value}${change ? ` (${change})` : ''}`),
  ].join('\n')

const cell = `padding:8px 0;border-bottom:1px solid ${ruleColour};font-size:14px;line-height:20px;color:${textColour}`

const table = (rows: string): string =>
  `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px;border-collapse:collapse">${rows}</table>`

const row = (label: string, value: string, change: string, colour: string): string =>
  `<tr><td style="${cell};word-break:break-word">${escapeHtml(label)}</td>` +
  `<td align="right" style="${cell};font-weight:600;white-space:nowrap;padding-left:12px">${escapeHtml(value)}</td>` +
  `<td align="right" width="72" style="${cell};color:${colour};white-space:nowrap;padding-left:12px">${escapeHtml(change)}</td></tr>`

const figureTable = (figures: readonly ReportFigure[]): string =>
  figures.length === 0
    ? ''
    : table(
        figures
          .map(({ label, value, change = '', tone = 'neither' }) => row(label, value, change, tones[tone]))
          .join(''),
      )

function listTable({ title, counted, rows }: ReportFigureList): string {
  const head = `<th align="left" style="${cell};color:${mutedColour}">${escapeHtml(title)}</th><th align="right" colspan="2" style="${cell};color:${mutedColour}">${escapeHtml(counted)}</th>`
  const none = `<tr><td colspan="3" style="${cell};color:${mutedColour}">No data in this period.</td></tr>`
  const body = rows.map(({ label, value, change = '' }) => row(label, value, change, mutedColour)).join('')
  return table(`<tr>${head}</tr>${body || none}`)
}
