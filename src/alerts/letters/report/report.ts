import type { ReportFigure, ReportFigureList } from '../../report-content'
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
  const [first] = figures.figures
  const preview = first ? `${first.label} ${first.value}${first.change ? ` (${first.change})` : ''}` : period
  return {
    subject: `${name}: ${period}`,
    text: [
      `${name}\n${intro}`,
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
      preview,
      body: [
        paragraph(escapeHtml(intro), mutedColour),
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
