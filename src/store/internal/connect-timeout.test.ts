import { expect, test } from 'vitest'
import { connectTimeoutMs } from './connect-timeout'

test.each([
  ['postgres://db.example/tilth', 5000],
  ['postgres://db.example/tilth?connect_timeout=60', 60_000],
  ['postgres://db.example/tilth?sslmode=require&connect_timeout=2', 2000],
  ['postgres://db.example/tilth?connect_timeout=0', 5000],
  ['postgres://db.example/tilth?connect_timeout=soon', 5000],
  ['host=db.example', 5000],
])('%s is given %i ms to connect', (url, expected) => {
  expect(connectTimeoutMs(url)).toBe(expected)
})
