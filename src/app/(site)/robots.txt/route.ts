import { robots } from '#posts/robots'
import { textResponse } from '../responses'
import { openSite } from '../open-site'

export const dynamic = 'force-dynamic'

export const GET = (): Response => textResponse(robots(openSite().site))
