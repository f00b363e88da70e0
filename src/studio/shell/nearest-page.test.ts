import { expect, test } from 'vitest'
import { nearestPage } from './nearest-page'

test.each([
  // a wrong address                     the page that is offered
  ['/studio/acme/flag', '/studio/acme/flags'],
  ['/studio/acme/insigths', '/studio/acme/insights'],
  ['/studio/acme/web/goal', '/studio/acme/web/goals'],
  ['/studio/acme/settings/member', '/studio/acme/settings/members'],
  ['/studio/acme/people/6f1b0d3c', '/studio/acme/people'],
  ['/studio/acme/dashboard/weekly', '/studio/acme/dashboards'],
  ['/studio/acme/xyzzy', undefined],
  ['/studio/acme', undefined],
  ['/studio/account/securty', undefined],
])('%s is nearest to %s', (pathname, href) => {
  expect(nearestPage(pathname)?.href).toBe(href)
})
