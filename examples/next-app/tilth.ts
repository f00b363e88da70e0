import { staticFlags } from '@tilth/next/static'

declare module '@tilth/react' {
  interface Register {
    flags: {
      headline: 'control' | 'bold'
      'new-checkout': boolean
      offer: 'control' | 'half-price'
      plans: 'control' | 'yearly'
    }
  }
}

/** The pricing page is built once for each of these values, the original first. */
export const pricingFlags = staticFlags({ plans: ['control', 'yearly'] })
