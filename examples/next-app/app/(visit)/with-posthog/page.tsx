import { posthogOptions } from '@tilth/next/posthog'
import { getVisit } from '@tilth/next/server'
import { Shop } from './shop'

export default async function WithPosthog() {
  return <Shop options={posthogOptions(await getVisit())} />
}
