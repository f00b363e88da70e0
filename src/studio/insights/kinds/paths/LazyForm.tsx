'use client'

import { lazy } from 'react'

/** The server imports this file with the view; a form itself would then be part of every page with a chart. */
export const LazyPathsForm = lazy(async () => ({ default: (await import('./Form')).PathsForm }))
