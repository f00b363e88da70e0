import { describe, expect, test } from 'vitest'
import { codesNamed, valueName } from './value-names'

describe('the name of a value', () => {
  test.each([
    // property                      value       name
    ['country', 'DE', 'Germany'],
    ['$geoip_country_code', 'DE', 'Germany'],
    ['$initial_geoip_country_code', 'CH', 'Switzerland'],
    ['$session_country', 'XK', 'Kosovo'],
    ['$geoip_country_code', 'Atlantis', 'Atlantis'],
    ['$geoip_country_code', 'QQ', 'QQ'],
    ['language', 'de', 'German'],
    ['$browser_language', 'pt-BR', 'Brazilian Portuguese'],
    ['$browser_language', 'en_US', 'American English'],
    ['$browser_language', '*', '*'],
    ['$is_identified', 'true', 'Yes'],
    ['$is_bounce', '0', 'No'],
    ['$traffic', 'bot', 'Bots'],
    ['$lib', 'web', 'PostHog (web)'],
    ['$lib', 'mixpanel-node', 'Mixpanel (Node.js)'],
    ['$lib', 'mixpanel-of-our-own', 'mixpanel-of-our-own'],
    ['$lib', 'constructor', 'constructor'],
    ['$is_identified', 'constructor', 'constructor'],
    ['event', '$pageview', 'Page view'],
    ['$channel_type', 'Organic Search', 'Organic Search'],
    ['$device_type', 'Desktop', 'Desktop'],
    // a property of the project's own is shown as it was sent
    ['plan', 'DE', 'DE'],
    ['subscribed', 'true', 'true'],
    // absent values
    ['country', '', 'Unknown'],
    ['$geoip_country_code', null, 'Unknown'],
    ['$device_type', null, 'Unknown'],
    ['source', '', 'Direct / None'],
    ['plan', null, '(none)'],
  ])('of %s %j is %j', (property, value, name) => {
    expect(valueName(property, value)).toBe(name)
  })
})

describe('codes by a part of their name', () => {
  test.each([
    // property                typed          codes
    ['$geoip_country_code', 'Germany', ['DE']],
    ['country', 'switz', ['CH']],
    ['$geoip_country_code', 'united', ['AE', 'GB', 'US']],
    ['$browser_language', 'brazil', []],
    ['language', 'german', ['de']],
    ['$is_identified', 'y', ['true']],
    ['$lib', 'mixpanel (p', ['mixpanel-python', 'mixpanel-php']],
    ['country', '', []],
    ['plan', 'Germany', []],
  ])('of %s, "%s": %j', (property, typed, codes) => {
    expect(codesNamed(property, typed)).toEqual(codes)
  })
})
