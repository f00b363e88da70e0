import { expect, test } from 'vitest'
import { parseEngineUrl, engineUrl } from './address'

test.each([
  // TILTH_ENGINE                                         url                           user       password  database
  ['https://ana:s3cret@ch.example:9443/app', 'https://ch.example:9443', 'ana', 's3cret', 'app'],
  ['https://ana:s3cret@ch.example/app', 'https://ch.example:8443', 'ana', 's3cret', 'app'],
  ['https://ana:s3cret@ch.example:443/app', 'https://ch.example:443', 'ana', 's3cret', 'app'],
  ['http://ana:s3cret@ch.example/app', 'http://ch.example:8123', 'ana', 's3cret', 'app'],
  ['http://ana:s3cret@ch.example:80/app', 'http://ch.example:80', 'ana', 's3cret', 'app'],
  ['http://localhost', 'http://localhost:8123', 'default', '', 'default'],
  ['http://localhost:8124/', 'http://localhost:8124', 'default', '', 'default'],
  ['http://a%40b:p%3A%2F%40ss@localhost/app', 'http://localhost:8123', 'a@b', 'p:/@ss', 'app'],
  ['http://ana:1:2@localhost/app', 'http://localhost:8123', 'ana', '1:2', 'app'],
  ['http://ana:pw@[::1]:8123/app', 'http://[::1]:8123', 'ana', 'pw', 'app'],
  ['http://ana:pw@[::1]/app', 'http://[::1]:8123', 'ana', 'pw', 'app'],
])('%s is understood', (text, url, username, password, database) => {
  const address = { url, username, password, database }
  expect(parseEngineUrl(text)).toEqual(address)
  expect(parseEngineUrl(engineUrl(address))).toEqual(address)
})

test.each([
  '',
  'clickhouse',
  'ch.example:8123',
  'clickhouse://ch.example/app',
  'http://ana:s3cret@host/a-b',
  'http://',
])('"%s" is answered with how it should look, and without the password', (text) => {
  expect(() => parseEngineUrl(text)).toThrow('must look like https://user:password@host:8443/database')
  expect(() => parseEngineUrl(text)).not.toThrow('s3cret')
})
