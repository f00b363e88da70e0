/** The clients that can send events, as they are called. */
export const clientLabels = {
  tilth: 'Tilth',
  react: 'React',
  next: 'Next.js',
  posthog: 'PostHog',
  vercel: 'Vercel',
  plausible: 'Plausible',
  umami: 'Umami',
  segment: 'Segment',
  amplitude: 'Amplitude',
  mixpanel: 'Mixpanel',
  goatcounter: 'GoatCounter',
  matomo: 'Matomo',
  simpleAnalytics: 'Simple Analytics',
  ga4: 'Google Analytics 4',
  http: 'HTTP',
}
export type ClientName = keyof typeof clientLabels

export const isClient = (name: unknown): name is ClientName =>
  typeof name === 'string' && Object.hasOwn(clientLabels, name)
export const clientNames = Object.keys(clientLabels).filter(isClient)
