import { expect, test } from 'vitest'
import { mayBeFramed } from './frame-permission'

const studio = 'https://tilth.example.com'
const address = 'https://shop.example/pricing'

test.each<[allowed: boolean, headers: Record<string, string>]>([
  [true, {}],
  [false, { 'x-frame-options': 'DENY' }],
  [false, { 'x-frame-options': 'sameorigin' }],
  // browsers ignore what they do not know, and refuse a contradiction
  [true, { 'x-frame-options': 'ALLOW-FROM https://other.example' }],
  [false, { 'x-frame-options': 'DENY, ALLOWALL' }],
  [false, { 'content-security-policy': "frame-ancestors 'none'" }],
  [false, { 'content-security-policy': "default-src *; frame-ancestors 'self'" }],
  [false, { 'content-security-policy': 'frame-ancestors' }],
  [true, { 'content-security-policy': "default-src 'none'" }],
  [true, { 'content-security-policy': 'frame-ancestors *' }],
  [true, { 'content-security-policy': 'frame-ancestors https:' }],
  [true, { 'content-security-policy': "FRAME-ANCESTORS 'self' https://*.example.com" }],
  [true, { 'content-security-policy': 'frame-ancestors tilth.example.com:443' }],
  [true, { 'content-security-policy': 'frame-ancestors http://tilth.example.com' }],
  [false, { 'content-security-policy': 'frame-ancestors https://example.com' }],
  [false, { 'content-security-policy': 'frame-ancestors https://tilth.example.com:8443' }],
  // each policy has to allow it
  [false, { 'content-security-policy': "frame-ancestors *, frame-ancestors 'none'" }],
  // the newer header decides where both are there
  [true, { 'content-security-policy': 'frame-ancestors *', 'x-frame-options': 'DENY' }],
])('%s: %j', (allowed, headers) => {
  expect(mayBeFramed({ address, headers: new Headers(headers) }, studio)).toBe(allowed)
})

test.each<[allowed: boolean, address: string, studio: string]>([
  [false, 'http://shop.example/', studio],
  [true, 'http://localhost:3000/', studio],
  [true, 'http://shop.example/', 'http://tilth.example.com'],
])('without TLS, %s: %s in %s', (allowed, page, framedBy) => {
  expect(mayBeFramed({ address: page, headers: new Headers() }, framedBy)).toBe(allowed)
})
