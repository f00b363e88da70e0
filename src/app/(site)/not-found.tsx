import type { Metadata } from 'next'
import { fallbackFor } from '#ui/page/status-titles'

export { NotFoundPage as default } from './NotFoundPage'

export const metadata: Metadata = { title: { absolute: fallbackFor(404).title } }
