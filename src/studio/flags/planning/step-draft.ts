/** A step of a schedule on its way. Times are as clocks show them, without a zone: the project's is meant. */
export interface StepDraft {
  id: number
  at: string
  does: 'on' | 'off' | 'share'
  percentage: number
}

let lastId = 0

export const newStep = (part: Partial<StepDraft> = {}): StepDraft => ({
  at: '',
  does: 'on',
  percentage: 10,
  ...part,
  id: ++lastId,
})

const ramp = [1, 10, 50, 100]

/** A step each day at the same local time, also across clock changes. */
export const rampFrom = (at: string): StepDraft[] =>
  ramp.map((percentage, days) => newStep({ at: daysAfter(at, days), does: 'share', percentage }))

function daysAfter(at: string, days: number): string {
  const [day = '', time = '00:00'] = at.split('T')
  const later = new Date(`${day}T00:00:00Z`)
  later.setUTCDate(later.getUTCDate() + days)
  return `${later.toISOString().slice(0, 10)}T${time}`
}

/** A step to a percentage above 0 also turns the flag on. */
export function stepInput({ at, does, percentage }: StepDraft, set: string) {
  if (does !== 'share') return { at, isOn: does === 'on' }
  return { at, isOn: percentage > 0, percentage, ...(set !== 'every' && { condition: Number(set) }) }
}
