'use client'

export { StudioFailed as default } from '#studio/shell/StudioFailed'
