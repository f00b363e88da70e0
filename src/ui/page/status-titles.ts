interface FallbackTexts {
  title: string
  /** What a person may do about it. */
  advice: string
}

/** On whose side an exception ended a page; it decides which log a person is sent to. */
export type ErrorSide = 'client' | 'server'

/** An exception that ended a page. */
export const applicationError = (side: ErrorSide): FallbackTexts => ({
  title: `Application error: a ${side}-side exception has occurred`,
  advice: `See the ${side === 'server' ? 'server logs' : 'browser console'} for more information.`,
})

const fallbacks: Record<number, FallbackTexts> = {
  400: {
    title: 'Bad Request',
    advice: 'The address could not be read. Look for a stray % sign in it.',
  },
  404: {
    title: 'This page could not be found',
    advice: 'The address may be mistyped, or what was here has moved.',
  },
  405: {
    title: 'Method Not Allowed',
    advice: 'This address can be read, but not written to.',
  },
  500: {
    title: 'Internal Server Error',
    advice: 'Something went wrong on the server. The server logs say what.',
  },
}

export interface StatusPageLink {
  address: string
  label: string
}

/** The link to the front page on status pages. */
export const frontPage: StatusPageLink = { address: '/', label: 'Go to the front page' }

/** What stands in for a page that cannot be shown. Other software recognises these exact titles. */
export const fallbackFor = (status?: number): FallbackTexts =>
  (status && fallbacks[status]) || applicationError('client')
