//! The addresses by which clients reach a server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// The addresses by which clients reach a server that listens on this one: the same, or in place of
/// all addresses of the machine, the loopback address and the one in its network.
pub(crate) fn reachable(listen: SocketAddr) -> Vec<SocketAddr> {
    if !listen.ip().is_unspecified() {
        return vec![listen];
    }
    let port = listen.port();
    // A server that listens on all addresses of IPv6 usually has all addresses of IPv4, too.
    let of_network = [listen.is_ipv6().then(network_v6), Some(network_v4())];
    let own = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let others = of_network.into_iter().flatten().flatten().filter(|ip| !ip.is_loopback());
    std::iter::once(own).chain(others).map(|ip| SocketAddr::new(ip, port)).collect()
}

/// The address of this machine in its network.
fn network_v4() -> Option<IpAddr> {
    source(Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into())
}

/// The address of this machine in its network.
fn network_v6() -> Option<IpAddr> {
    source(Ipv6Addr::UNSPECIFIED.into(), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into())
}

/// The address from which the system would send to another machine; `None` without a network.
/// Nothing is sent: the other addresses here are for documentation (RFC 5737, RFC 3849).
fn source(own: IpAddr, other: IpAddr) -> Option<IpAddr> {
    let socket = UdpSocket::bind((own, 0)).ok()?;
    socket.connect((other, 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_reached_by_itself() {
        for text in ["127.0.0.1:8080", "192.168.1.5:80", "[::1]:8080"] {
            let address: SocketAddr = text.parse().unwrap();
            assert_eq!(reachable(address), [address]);
        }
    }

    #[test]
    fn all_addresses_are_reached_by_some() {
        for text in ["0.0.0.0:8080", "[::]:8080"] {
            let found = reachable(text.parse().unwrap());
            assert_eq!(found[0], SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)));
            let is_usable = |address: &SocketAddr| !address.ip().is_unspecified();
            assert!(found.iter().all(is_usable) && found.iter().all(|one| one.port() == 8080));
        }
    }
}
