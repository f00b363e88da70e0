export { metadata, viewport, StudioLayout as default } from '#studio/shell/StudioLayout'
