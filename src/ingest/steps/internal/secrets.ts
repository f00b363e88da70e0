/** Query parameters that grant access or identify a person. Their names contain one of these words … */
const secretNamePattern =
  /e-?mail|token|passw|pwd|secret|jwt|oauth|saml|api[-_.]?key|access[-_.]?key|private[-_.]?key|credential|signature|session[-_.]?id|sessid|passport|iban|(?:first|last|full|sur)[-_.]?name|birth/i

/** … or have one of these as a word … */
const secretWordPattern =
  /(?:^|[-_.[\]])(?:auth|authorization|otp|mfa|totp|ssn|cvv|cvc|sid|sig|nonce|ticket|invite|invitation|reset|magic|phone|msisdn)(?:$|[-_.[\]])/i

/** … or are exactly one of these, which are harmless within longer names (`country_code`, `sort_key`). */
const secretNames = parseWords(`
  key code state auth authcode authkey session pass pin pw user username login uid userid user_id tel mobile
  hash hmac samlresponse relaystate assertion verification verify
`)

/** The parameters with which newsletter and marketing systems identify recipients. */
const recipientIds = parseWords(`
  mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok oly_enc_id oly_anon_id vero_id vero_conv
  ml_subscriber ml_subscriber_hash bsft_uid bsft_eid sc_uid __s rb_clickid wickedid
`)

/**
 * Parameters of advertisement clicks: each value identifies one person at the advertiser. The most specific come first.
 */
export const clickIds = parseWords(`
  gclid gbraid wbraid dclid gclsrc gad_source msclkid fbclid igshid twclid ttclid li_fat_id rdt_cid epik qclid
  sccid irclid mc_cid _kx oppref bfcid yclid srsltid gad_campaignid
`)

function parseWords(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}

export const isClickId = (name: string): boolean => clickIds.has(name.toLowerCase())

/** Whether the value of a query parameter of this name is private. */
export function isSecretName(name: string): boolean {
  if (name.startsWith('utm_')) return false
  const plain = name.toLowerCase()
  return (
    secretNames.has(plain) ||
    recipientIds.has(plain) ||
    secretNamePattern.test(name) ||
    secretWordPattern.test(name)
  )
}

const emailPattern = /[^\s@]@[^\s@.][^\s@]*\.[a-z]{2}/i
const jsonWebToken = /\beyJ[\w-]{8,}\.[\w-]{8,}\./

/** Whether a value is private under any name: an email address, a signed token, or a link with either. */
export function isSecretValue(value: string): boolean {
  if (value.includes('@') && emailPattern.test(value)) return true
  if (value.includes('eyJ') && jsonWebToken.test(value)) return true
  return (
    value.includes('=') &&
    value.split(/[?&#;]/).some((part) => part.includes('=') && isSecretName(part.slice(0, part.indexOf('='))))
  )
}
