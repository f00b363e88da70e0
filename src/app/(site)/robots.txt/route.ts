import { robots } from '../../../posts/robots'
import { textAnswer } from '../answers'
import { openSite } from '../open-site'

export const dynamic = 'force-dynamic'

export const GET = (): Response => textAnswer(robots(openSite().site))
