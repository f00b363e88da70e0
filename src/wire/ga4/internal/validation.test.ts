import { expect, test } from 'vitest'
import type { Json, Properties } from '#events/event'
import { recordingWireServices } from '#test/wire/trackers-fixture'
import { respondTo, responseJson } from '#test/wire/vendor-recordings'
import { validate } from './validation'

const now = new Date('2026-11-24T00:00:00Z')
const micros = (offsetHours: number) => (now.getTime() + offsetHours * 3_600_000) * 1000

const event = (fields: Properties = {}): Properties => ({ name: 'sign_up', params: {}, ...fields })
const request = (fields: Properties = {}): Properties => ({
  client_id: '1.2',
  events: [event()],
  ...fields,
})
const withParams = (params: Properties, name = 'sign_up') => request({ events: [event({ name, params })] })

const sale = { transaction_id: 't', value: 3, currency: 'EUR', items: [{ item_id: 'a' }] }

test.each<[string, Json]>([
  ['the least', request()],
  ['an app', { app_instance_id: 'a', events: [event()] }],
  ['a sale', withParams(sale, 'purchase')],
  ['a recent time', request({ timestamp_micros: micros(-71) })],
  ['user properties', request({ user_properties: { plan: { value: 'pro' } } })],
  ['a long page address', withParams({ page_location: `https://x.example/${'a'.repeat(900)}` })],
])('%s is valid', (_what, body) => expect(validate(body, now)).toEqual([]))

const many = (count: number, entry: (index: number) => [string, Json]): Properties =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index)))

test.each<[string, Json, code: string, path: string]>([
  ['no object', [], 'VALUE_INVALID', ''],
  ['no client', { events: [event()] }, 'VALUE_REQUIRED', 'client_id'],
  ['a number as client', request({ client_id: 7 }), 'VALUE_INVALID', 'client_id'],
  ['an unknown field', request({ clientid: '1' }), 'VALUE_INVALID', 'clientid'],
  ['no events', { client_id: '1' }, 'VALUE_REQUIRED', 'events'],
  [
    'too many events',
    request({ events: Array.from({ length: 26 }, () => event()) }),
    'EXCEEDED_MAX_ENTITIES',
    'events',
  ],
  ['no name', request({ events: [{}] }), 'VALUE_REQUIRED', 'events[0].name'],
  ['no event', request({ events: [7] }), 'VALUE_INVALID', 'events[0]'],
  ['a bad name', request({ events: [event({ name: '_badEventName' })] }), 'NAME_INVALID', 'events'],
  ['a name with a space', request({ events: [event({ name: 'sign up' })] }), 'NAME_INVALID', 'events'],
  ['a long name', request({ events: [event({ name: 'a'.repeat(41) })] }), 'NAME_INVALID', 'events'],
  ['a reserved name', request({ events: [event({ name: 'session_start' })] }), 'NAME_RESERVED', 'events'],
  ['params that are none', request({ events: [event({ params: 7 })] }), 'VALUE_INVALID', 'events[0].params'],
  [
    'too many params',
    withParams(many(26, (index) => [`p${index}`, 1])),
    'EXCEEDED_MAX_ENTITIES',
    'events[0].params',
  ],
  ['a reserved param', withParams({ ga_x: 1 }), 'NAME_RESERVED', 'events[0].params.ga_x'],
  ['a long value', withParams({ a: 'x'.repeat(101) }), 'VALUE_OUT_OF_BOUNDS', 'events[0].params.a'],
  ['an object as value', withParams({ a: { b: 1 } }), 'VALUE_INVALID', 'events[0].params.a'],
  ['items that are none', withParams({ items: 'a' }), 'VALUE_INVALID', 'events[0].params.items'],
  ['an item without id', withParams({ items: [{}] }), 'VALUE_REQUIRED', 'events[0].params.items[0]'],
  ['an amount alone', withParams({ value: 3 }), 'VALUE_REQUIRED', 'events[0].params.currency'],
  [
    'an amount in words',
    withParams({ value: 'x', currency: 'EUR' }),
    'VALUE_INVALID',
    'events[0].params.value',
  ],
  ['a currency that is none', withParams({ currency: 'Euro' }), 'VALUE_INVALID', 'events[0].params.currency'],
  [
    'a sale without number',
    withParams({ value: 1, currency: 'EUR' }, 'purchase'),
    'VALUE_REQUIRED',
    'events[0].params.transaction_id',
  ],
  ['an old time', request({ timestamp_micros: micros(-73) }), 'VALUE_OUT_OF_BOUNDS', 'timestamp_micros'],
  ['a time to come', request({ timestamp_micros: micros(1) }), 'VALUE_OUT_OF_BOUNDS', 'timestamp_micros'],
  ['a time in words', request({ timestamp_micros: 'now' }), 'VALUE_INVALID', 'timestamp_micros'],
  ['user properties as list', request({ user_properties: [] }), 'VALUE_INVALID', 'user_properties'],
  ['a bare user property', request({ user_properties: { a: 1 } }), 'VALUE_REQUIRED', 'user_properties.a'],
  [
    'a reserved user property',
    request({ user_properties: { ga_a: { value: 1 } } }),
    'NAME_RESERVED',
    'user_properties.ga_a',
  ],
  [
    'a long user property',
    request({ user_properties: { a: { value: 'x'.repeat(37) } } }),
    'VALUE_OUT_OF_BOUNDS',
    'user_properties.a',
  ],
  [
    'too many user properties',
    request({ user_properties: many(26, (index) => [`p${index}`, { value: 1 }]) }),
    'EXCEEDED_MAX_ENTITIES',
    'user_properties',
  ],
])('%s is named', (_what, body, validationCode, fieldPath) => {
  expect(validate(body, now)).toMatchObject([{ fieldPath, validationCode }])
})

test('the debug form answers what is wrong, and stores nothing', async () => {
  const services = recordingWireServices([{ names: ['G-1'] }])
  const path = '/debug/mp/collect?measurement_id=G-1&api_secret=x'
  const messagesOf = async (body: string | object, at = path) =>
    responseJson(await respondTo({ path: at, body }, services))
  expect(await messagesOf(request())).toEqual({ validationMessages: [] })
  expect(await messagesOf(request({ events: [event({ name: '_badEventName' })] }))).toEqual({
    validationMessages: [
      {
        fieldPath: 'events',
        description:
          'Event at index: [0] has invalid name [_badEventName]. Names must start with an alphabetic character.',
        validationCode: 'NAME_INVALID',
      },
    ],
  })
  expect(await messagesOf(request(), '/debug/mp/collect?measurement_id=G-2')).toMatchObject({
    validationMessages: [{ fieldPath: 'measurement_id', validationCode: 'VALUE_INVALID' }],
  })
  expect(await messagesOf('{')).toMatchObject({
    validationMessages: [{ description: 'The body is not JSON.' }],
  })
  expect(services.events()).toEqual([])
})
