import { ratingValues } from '../../kinds/rating-scale'
import type { SurveyQuestion } from '../../question'
import { escapeHtml } from '../../run/recall'
import type { Survey } from '../../survey'

interface SurveyLetterAddresses {
  /** The recipient's own address of the survey. */
  survey: string
  unsubscribe: string
}

export interface SurveyLetterContent {
  subject: string
  text: string
  html: string
  unsubscribe: string
}

interface LetterAnswer {
  label: string
  /** The value of `q0` in the address. */
  value: string
}

/** The answers to the first question that one click can give; none for other kinds of questions. */
export function oneClickAnswers(question: SurveyQuestion | undefined): LetterAnswer[] {
  if (question?.kind === 'rating')
    return ratingValues(question.scale).map((value) => ({ label: String(value), value: String(value) }))
  if (question?.kind !== 'single-choice') return []
  const choices = question.hasOther ? question.choices.slice(0, -1) : question.choices
  return choices.map(({ text }, index) => ({ label: text, value: String(index) }))
}

/** Opening one of these records nothing: the page that it opens sends the answer once it is seen. */
function answerAddress(survey: string, value: string): string {
  const url = new URL(survey)
  url.searchParams.set('q0', value)
  return url.href
}

/** A letter with the first question of a survey, whose answers are links; plain text and HTML. */
export function surveyLetter(
  { name, content: { questions, appearance } }: Pick<Survey, 'name' | 'content'>,
  { subject, message }: { subject: string; message: string },
  links: SurveyLetterAddresses,
): SurveyLetterContent {
  const [question] = questions
  const answers = oneClickAnswers(question).map(({ label, value }) => ({
    label,
    href: answerAddress(links.survey, value),
  }))
  const ways = answers.length > 0 ? answers : [{ label: 'Answer the survey', href: links.survey }]
  const text = [
    message,
    question?.text ?? name,
    ways.map(({ label, href }) => `${label}: ${href}`).join('\n'),
    `Unsubscribe: ${links.unsubscribe}`,
  ]
  return {
    subject,
    text: text.filter((part) => part !== '').join('\n\n'),
    html: letterHtml({ subject, message, question, ways, links, appearance }),
    unsubscribe: links.unsubscribe,
  }
}

interface LetterParts {
  subject: string
  message: string
  question: SurveyQuestion | undefined
  ways: readonly { label: string; href: string }[]
  links: SurveyLetterAddresses
  appearance: Survey['content']['appearance']
}

/** Tables and inline styles, no remote content: what mail programs show. */
function letterHtml({ subject, message, question, ways, links, appearance }: LetterParts): string {
  const { backgroundColor, textColor, buttonColor, buttonTextColor, borderColor, borderRadiusPx } = appearance
  const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
  const style = (rules: string) => `style="${escapeHtml(`${rules};${font}`)}"`
  const isScale = question?.kind === 'rating'
  const cell = `background:${buttonColor};border-radius:${borderRadiusPx}px`
  const link = `display:block;padding:10px 12px;color:${buttonTextColor};font-size:15px;font-weight:600;text-decoration:none`
  const buttons = ways.map(
    ({ label, href }) =>
      `<td align="center" ${style(cell)}><a href="${escapeHtml(href)}" ${style(link)}>${escapeHtml(label)}</a></td>`,
  )
  const gap = isScale ? '<td width="4"></td>' : '</tr><tr><td height="8"></td></tr><tr>'
  const paragraphs = message
    .split(/\n{2,}/)
    .filter((one) => one !== '')
    .map((one) => `<p ${style('margin:0 0 16px;font-size:15px;line-height:22px')}>${withBreaks(one)}</p>`)
  const ends =
    question?.kind === 'rating' && (question.lowerLabel || question.upperLabel)
      ? `<p ${style('margin:8px 0 0;font-size:12px')}>${escapeHtml(`${question.lowerLabel} → ${question.upperLabel}`)}</p>`
      : ''
  const box = `background:${backgroundColor};color:${textColor};border:1px solid ${borderColor};border-radius:${borderRadiusPx}px;padding:24px`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body ${style('margin:0;padding:24px 12px;background:#f4f6f5')}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" ${style('width:100%;max-width:600px')}><tr><td ${style(box)}>
${paragraphs.join('\n')}
<h1 ${style('margin:0 0 16px;font-size:18px;line-height:26px')}>${escapeHtml(question?.text ?? subject)}</h1>
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>${buttons.join(gap)}</tr></table>
${ends}
</td></tr><tr><td ${style('padding:16px 24px;font-size:12px;line-height:18px;color:#5c6864')}>
Your answer is recorded when the page opens. <a href="${escapeHtml(links.unsubscribe)}" ${style('color:#5c6864')}>Unsubscribe</a>
</td></tr></table>
</td></tr></table>
</body></html>
`
}

const withBreaks = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>')
