import { questionFrom, questionText } from '../../../../../../insights/question-text'

/** What stands in the editor, as addresses and the browser's memory keep it. */
export interface Draft {
  text: string
  period: string
}

export const usualPeriod = '30d'

export const hasPeriod = (text: string): boolean => /\{\{\s*(from|until)\s*\}\}/.test(text)

export const draftText = ({ text, period }: Draft): string =>
  questionText({ text, ...(period !== usualPeriod && hasPeriod(text) && { period }) })

/** Of an address, or of what the browser remembered: neither is to be trusted to be one. */
export function draftFrom(said: string | undefined): Draft | undefined {
  const found = questionFrom(said)
  if (typeof found !== 'object' || found === null || !('text' in found)) return undefined
  const period = 'period' in found && typeof found.period === 'string' ? found.period : usualPeriod
  return typeof found.text === 'string' ? { text: found.text, period } : undefined
}
