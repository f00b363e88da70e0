import { flagPart } from '#flags/flag-address'

/** Addresses of pages below that of a project. `addresses.test.ts` holds them to those of the studio. */
export const pageAddress = {
  web: (parameters: readonly (readonly [name: string, value: string])[]): string =>
    `web?${new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()}`,
  experiment: (id: string): string => `experiments/${id}`,
  flag: (key: string): string => `flags/${flagPart(key)}`,
  staleFlags: 'flags?state=stale',
  surveyResponses: (id: string, period: string, answers: readonly object[]): string =>
    `surveys/${id}/responses?${new URLSearchParams({ period, answers: JSON.stringify(answers) }).toString()}`,
}
