interface FallbackTexts {
  title: string
  /** The action that a person can take. */
  advice: string
}

/** The side on which an exception ended a page; it decides which log a person is sent to. */
type ErrorSide = 'client' | 'server'

/** An exception that ended a page. */
export const applicationError = (side: ErrorSide): FallbackTexts => ({
  title: `Application error: a ${side}-side exception has occurred`,
  advice: `See the ${side === 'server' ? 'server logs' : 'browser console'} for more information.`,
})

const fallbacks: Record<number, FallbackTexts> = {
  400: {
    title: 'Bad Request',
    advice: 'The URL is malformed. Check it for a stray % sign.',
  },
  404: {
    title: 'This page could not be found',
    advice: 'The URL may be mistyped, or the page may have moved.',
  },
  405: {
    title: 'Method Not Allowed',
    advice: 'This URL does not accept this method.',
  },
  500: {
    title: 'Internal Server Error',
    advice: 'Something went wrong on the server. See the server log.',
  },
}

export interface StatusPageLink {
  address: string
  label: string
}

/** The link to the front page on status pages. */
export const frontPage: StatusPageLink = { address: '/', label: 'Go to home page' }

/** The texts of the page that replaces one that cannot be shown. Other software recognises these exact titles. */
export const fallbackFor = (status?: number): FallbackTexts =>
  (status && fallbacks[status]) || applicationError('client')
