export { StudioPage as default } from '#studio/home/StudioPage'
