import { expect, test } from 'vitest'
import { parseSiteAddress } from './site-address'

test.each([
  ['https://example.com', 'https://example.com/'],
  [' example.com/pricing ', 'https://example.com/pricing'],
  ['http://example.com:8080/a?b=c#d', 'http://example.com:8080/a?b=c'],
  ['bücher.example', 'https://xn--bcher-kva.example/'],
  // a Cyrillic letter in place of a Latin one
  ['https://аpple.example', 'https://xn--pple-43d.example/'],
  ['localhost:3000', 'http://localhost:3000/'],
  ['HTTPS://EXAMPLE.com', 'https://example.com/'],
  ['', ''],
  ['  ', ''],
])('%j is the address %j', (typed, address) => {
  expect(parseSiteAddress(typed)).toEqual({ isFit: true, address })
})

test.each([
  ['ftp://example.com', 'The address of a site begins with https:// or http://.'],
  ['file:///etc/passwd', 'The address of a site begins with https:// or http://.'],
  ['https://ana:secret@example.com', 'Leave the name and password out of the address.'],
  ['mailto:ana@example.com', 'Leave the name and password out of the address.'],
  ['javascript:alert(1)', 'Write the address of a page, such as https://example.com.'],
  ['data:text/html,x', 'Write the address of a page, such as https://example.com.'],
  ['our site', 'Write the address of a page, such as https://example.com.'],
  ['https://', 'Write the address of a page, such as https://example.com.'],
  [`https://example.com/${'a'.repeat(2000)}`, 'Write the address of a page, such as https://example.com.'],
])('%j is none', (typed, why) => {
  expect(parseSiteAddress(typed)).toEqual({ isFit: false, why })
})
