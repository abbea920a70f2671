import { type Bus, checkName } from './bus.ts';

/**
 * The bus under names that begin with `prefix`, so that two installations on one server share no topic and no group.
 */
export function prefixed(bus: Bus, prefix: string): Bus {
  const named = (what: 'topic' | 'group', name: string) => {
    checkName(what, name);
    return prefix + name;
  };
  const topicOf = (topic: string) => named('topic', topic);
  const groupOf = (group: string) => named('group', group);
  return {
    ...bus,
    publish: async (topic, messages) => bus.publish(topicOf(topic), messages),
    subscribe: ({ topic, group, handle }) => bus.subscribe({ topic: topicOf(topic), group: groupOf(group), handle }),
    lag: async (topic, group) => bus.lag(topicOf(topic), groupOf(group)),
    peek: async (topic, group, limit) => bus.peek(topicOf(topic), groupOf(group), limit),
  };
}
