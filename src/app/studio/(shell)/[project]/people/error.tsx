'use client'

export { FailedPage as default } from '#studio/shell/FailedPage'
