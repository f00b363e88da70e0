import { questionFrom, questionText } from '#insights/text/question-text'

/** What stands in the editor, as addresses and the browser's memory keep it. */
export interface SqlDraft {
  text: string
  period: string
}

export const usualPeriod = '30d'

export const hasPeriod = (text: string): boolean => /\{\{\s*(from|until)\s*\}\}/.test(text)

export const draftText = ({ text, period }: SqlDraft): string =>
  questionText({ text, ...(period !== usualPeriod && hasPeriod(text) && { period }) })

/** Of an address, or of what the browser remembered: neither is to be trusted to be one. */
export function draftFrom(text: string | undefined): SqlDraft | undefined {
  const found = questionFrom(text)
  if (typeof found !== 'object' || found === null || !('text' in found)) return undefined
  const period = 'period' in found && typeof found.period === 'string' ? found.period : usualPeriod
  return typeof found.text === 'string' ? { text: found.text, period } : undefined
}
