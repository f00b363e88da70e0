import type { IngestStep } from './step'

export const shieldAddresses: IngestStep = ({ address }, { rules }) =>
  rules.isShieldedAddress(address) ? 'shielded-address' : undefined

/** Only pages have a host; events of servers and apps are never dropped because they lack one. */
export const shieldHosts: IngestStep = ({ columns }, { rules }) =>
  columns.host !== undefined && !rules.isOwnHost(columns.host) ? 'shielded-host' : undefined

export const shieldPages: IngestStep = ({ columns }, { rules }) =>
  columns.path !== undefined && rules.isShieldedPage(columns.path) ? 'shielded-page' : undefined

export const shieldCountries: IngestStep = ({ columns }, { rules }) =>
  columns.country !== undefined && rules.isShieldedCountry(columns.country) ? 'shielded-country' : undefined
