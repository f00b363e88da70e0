import { expect, test } from 'vitest'
import { RequestCounts } from './request-counts'

test('each answer is counted by its route and status, and in every bucket it fits into', () => {
  const counts = new RequestCounts()
  counts.count('wire', 200, 0.0004)
  counts.count('wire', 200, 0.02)
  counts.count('wire', 503, 60)
  const lines = counts.text().split('\n')

  expect(lines).toContain('tilth_requests_total{route="wire",status="200"} 2')
  expect(lines).toContain('tilth_requests_total{route="wire",status="503"} 1')
  expect(lines).toContain('tilth_request_seconds_bucket{le="0.001",route="wire"} 1')
  expect(lines).toContain('tilth_request_seconds_bucket{le="0.01",route="wire"} 1')
  expect(lines).toContain('tilth_request_seconds_bucket{le="0.025",route="wire"} 2')
  expect(lines).toContain('tilth_request_seconds_bucket{le="30",route="wire"} 2')
  expect(lines).toContain('tilth_request_seconds_bucket{le="+Inf",route="wire"} 3')
  expect(lines).toContain('tilth_request_seconds_count{route="wire"} 3')
  expect(lines).toContain('tilth_request_seconds_sum{route="wire"} 60.0204')
})

test('before the first answer there is nothing but what the numbers will mean', () => {
  const lines = new RequestCounts().text().split('\n')
  expect(lines.filter((line) => line !== '' && !line.startsWith('# '))).toEqual([])
})
