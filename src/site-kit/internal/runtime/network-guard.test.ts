import { expect, test } from 'vitest'
import { emptyAllowlist, parseAllowlist, writeAllowlist } from '#outbound/allowlist'
import { allowedBy } from './network-guard'

test.each([
  // TILTH_SITE_FETCH, host, address, whether it may be reached
  ['', 'example.com', '93.184.215.14', true],
  ['', 'example.com', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
  ['', 'example.com', '::ffff:93.184.215.14', true],
  ['', 'localhost', '127.0.0.1', false],
  ['', 'localhost', '::1', false],
  ['', 'metadata.example.com', '169.254.169.254', false],
  ['', 'example.com', '10.0.0.1', false],
  ['', 'example.com', '::ffff:10.0.0.1', false],
  ['', 'example.com', '64:ff9b::a00:1', false],
  ['', 'example.com', '2002:a00:1::', false],
  ['', 'example.com', 'fd00::1', false],
  ['example.com', 'Example.com.', '93.184.215.14', true],
  ['example.com', 'example.org', '93.184.215.14', false],
  ['example.com:443', 'example.com', '93.184.215.14', true],
  ['example.com:8443', 'example.com', '93.184.215.14', false],
  ['10.0.0.0/8', 'cms.internal', '10.1.2.3', true],
  ['10.0.0.0/8', 'cms.internal', '::ffff:10.1.2.3', true],
  ['10.0.0.0/8', 'example.com', '93.184.215.14', false],
])('with %j, %s at %s: %s', (text, host, address, isAllowed) => {
  const allowlist = text === '' ? undefined : (parseAllowlist(text) ?? emptyAllowlist)
  expect(allowedBy(writeAllowlist(allowlist))(host, 443, address)).toBe(isAllowed)
})
