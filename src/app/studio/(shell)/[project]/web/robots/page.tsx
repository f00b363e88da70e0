export { metadata, RobotsPage as default } from '#studio/web/RobotsPage'
