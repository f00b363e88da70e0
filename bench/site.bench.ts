import { beginningVisits } from './beginning'
import { report } from './report'
import { siteRequests } from './site-requests'

report(
  'site',
  'The site',
  [...(await beginningVisits()), ...(await siteRequests())],
  [
    'Every page is asked for as a browser asks, by 32 connections that say nothing else; its view is written to the journal after it was answered. The bare server sends the same bytes with the same headers.',
  ],
)
