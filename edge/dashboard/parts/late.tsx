import { type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Notice } from './notice.tsx';
import { Waiting } from './loaded.tsx';
import { Button } from './button.tsx';

/** A view whose script is loaded when it is first shown. @param load imports it */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | null = null;
  return function Late(props: Props) {
    const [isFailed, fail] = useState(false);
    const [Known, know] = useState(() => known);
    useEffect(() => {
      if (known !== null || isFailed) return;
      const begin = async (): Promise<void> => {
        try {
          const component = await load();
          known = component;
          know(() => component);
        } catch {
          fail(true);
        }
      };
      void begin();
    }, [isFailed]);
    if (isFailed)
      return (
        <Notice tone="wrong" title="This page could not be loaded">
          <p>You may be offline, or a new version was published just now.</p>
          <Button words="Reload" onPress={() => location.reload()} />
        </Notice>
      );
    return Known === null ? <Waiting as="page" /> : <Known {...props} />;
  };
}
