export { StudioNotFound as default } from '#studio/shell/StudioNotFound'
